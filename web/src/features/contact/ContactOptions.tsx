import { settings } from "../../lib/settings";
import styles from "./ContactOptions.module.css";
import { msg } from "../../lib/i18n";

const digits = (phone: string) => phone.replace(/\D/g, "");

const ways = () => [
  {
    name: msg("Email"),
    address: settings.contactEmail,
    href: (address: string) => `mailto:${address}`,
    icon: "M3 6h18v12H3zM3 7l9 7 9-7",
  },
  {
    name: "SMS",
    address: settings.contactPhone,
    href: (address: string) => `sms:+${digits(address)}`,
    icon: "M4 5h16v11H11l-4 4v-4H4zM8 9h8M8 12h5",
  },
  {
    name: "WhatsApp",
    address: settings.contactWhatsApp,
    href: (address: string) => `https://wa.me/${digits(address)}`,
    icon: "M4 20l1.4-4A8 8 0 1 1 8.3 18.8zM9 9c0 3 3 6 6 6l1-2-2.3-1-1 1c-1-.5-1.7-1.200-2.2-2.2l1-1L10.5 7.5z",
  },
];

/** How to reach the operator: by the addresses that are set (spec §2). */
export function ContactOptions() {
  const offered = ways().flatMap((way) => (way.address ? [{ ...way, address: way.address }] : []));
  if (offered.length === 0) return <p>{msg("Nobody can be reached here just now. Please come back later.")}</p>;
  return (
    <ul className={styles.options}>
      {offered.map(({ name, address, href, icon }) => (
        <li key={name}>
          <a className={styles.option} href={href(address)} target={name === "WhatsApp" ? "_blank" : undefined} rel="noreferrer">
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d={icon} />
            </svg>
            <span className={styles.way}>{name}</span>
            <span className={styles.address}>{address}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
