/** Kenyan phone numbers as typed; what is stored is for the server to decide. */

/** Digits only, at most ten: what the phone fields let through (spec section 5). */
export const tenDigits = (typed: string) => typed.replace(/\D/g, "").slice(0, 10);

const REMEMBERED = "phone";

/** The number last paid from on this device, so that it need not be typed again. */
export const rememberedPhone = () => localStorage.getItem(REMEMBERED) ?? "";
export const rememberPhone = (phone: string) => localStorage.setItem(REMEMBERED, phone);
