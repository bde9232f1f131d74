/** What a player sets and sees of their own account: notifications, sessions, own data, limits, what they paid and won. */
import { click, type Screen } from "./owner-screens";

export const OF_THE_ACCOUNT: Screen[] = [
  { name: "statement", path: "/statement", as: "player", shows: "In the wallet at the end" },
  { name: "transactions", path: "/transactions", as: "player", shows: "Receipt TGL7RT61SV" },
  { name: "trust", path: "/trust", shows: "KSh 412,350" },
  { name: "proof", path: "/proof", as: "player", shows: /^Yes: your money is in the sum/ },
  { name: "notifications", path: "/notifications", as: "player", shows: "Mails about prizes, refunds, withdrawals, corrections and security are always sent." },
  { name: "account", path: "/account", as: "player", shows: "Where you are logged in" },
  { name: "account-data", path: "/account", as: "player", act: click("Show my data"), shows: "Save as a file" },
  { name: "account-close", path: "/account", as: "player", act: click("Close my account..."), shows: "This cannot be undone by anybody. Should a prompt still be paid within the week, or your wallet have KSh 60 or more by its end, the account is open again and we write to you." },
  { name: "cases", path: "/cases?kind=withdrawal&id=w1", as: "player", act: click("Send"), shows: "Write what is wrong." },
  { name: "case", path: "/cases/c1", as: "player", shows: "We have answered" },
  { name: "panel-cases", path: "/panel/cases", as: "admin", shows: "has waited 2 d for an answer" },
  { name: "panel-case", path: "/panel/cases/c1", as: "admin", act: click("Close it"), shows: "Give the reason." },
  { name: "terms-asked", path: "/payment", as: "player", answers: { termsAsked: true }, shows: "You can withdraw in any case." },
  { name: "limits", path: "/limits", as: "player", answers: { limited: true }, shows: "Confirm the higher limit" },
  { name: "limits-stopped", path: "/limits", as: "player", answers: { stopped: true }, shows: "Stop playing for a time" },
  { name: "unsubscribe", path: "/unsubscribe/abc", act: click("Stop these mails"), shows: "We do not mail you after the draw any more." },
];
