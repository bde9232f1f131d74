/** Kenyan phone numbers as typed; what is stored is for the server to decide. */

/** As people have it in their contacts (+254 7…), with 0 for the country's code; of anything else the digits. */
export function localDigits(typed: string): string {
  const digits = typed.replace(/\D/g, "");
  return /^254\d{9}$/.test(digits) ? `0${digits.slice(3)}` : digits;
}

/** A number from the contacts in the form that every field takes; anything else as it was typed. */
export const withoutPlus = (typed: string) => (/^\s*\+254(\s*\d){9}\s*$/.test(typed) ? localDigits(typed) : typed);

/** Digits only, at most ten: what the deposit's field lets through (spec §5). */
export function tenDigits(typed: string): string {
  const digits = localDigits(typed);
  // The country's code is still being typed.
  return digits.startsWith("254") ? digits.slice(0, 12) : digits.slice(0, 10);
}

const REMEMBERED = "phone";

/** The number last paid from on this device, so that it need not be typed again. */
export const rememberedPhone = () => localStorage.getItem(REMEMBERED) ?? "";
export const rememberPhone = (phone: string) => localStorage.setItem(REMEMBERED, phone);
