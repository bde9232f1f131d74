import { Link } from "react-router";
import { ContactOptions } from "../../features/contact/ContactOptions";
import { MoneyHelp } from "../../features/contact/MoneyHelp";
import { CardLayout } from "../layouts/CardLayout";

export const ContactPage = () => (
  <CardLayout title="Contact" lead="About a payment, please have the M-Pesa code at hand.">
    <ContactOptions />
    <MoneyHelp />
    <Link className="link-row" to="/payment">
      Back to the main page
    </Link>
  </CardLayout>
);
