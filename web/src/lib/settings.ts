/**
 * What the operator sets for the pages when they are built (`web/.env`): how to be reached, and where
 * the tutorial is. An address that is not set is not offered.
 */
const { VITE_CONTACT_EMAIL, VITE_CONTACT_PHONE, VITE_CONTACT_WHATSAPP, VITE_TUTORIAL_URL } = import.meta
  .env as Record<string, string | undefined>;

const set = (text: string | undefined) => text?.trim() || null;

export const settings = {
  contactEmail: set(VITE_CONTACT_EMAIL),
  /** In international form, `+254…`. */
  contactPhone: set(VITE_CONTACT_PHONE),
  contactWhatsApp: set(VITE_CONTACT_WHATSAPP),
  tutorialUrl: set(VITE_TUTORIAL_URL),
} as const;
