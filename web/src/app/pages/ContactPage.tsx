import { Link } from "react-router";
import { ContactOptions } from "../../features/contact/ContactOptions";
import { MoneyHelp } from "../../features/contact/MoneyHelp";
import { CardLayout } from "../layouts/CardLayout";
import { msg } from "../../lib/i18n";

export const ContactPage = () => (
  <CardLayout title={msg("Contact")} lead={msg("About a payment, please have the M-Pesa code at hand.")}>
    <ContactOptions />
    <MoneyHelp />
    <Link className="link-row" to="/payment">{msg("Back to the main page")}</Link>
  </CardLayout>
);
