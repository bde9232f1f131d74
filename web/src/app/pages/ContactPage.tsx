import { Link } from "react-router";
import { rich } from "../../components/rich";
import { ContactOptions } from "../../features/contact/ContactOptions";
import { Helpline } from "../../features/contact/Helpline";
import { MoneyHelp } from "../../features/contact/MoneyHelp";
import { CardLayout } from "../layouts/CardLayout";
import { msg } from "../../lib/i18n";

export const ContactPage = () => (
  <CardLayout title={msg("Contact")} lead={msg("About a payment, please have the M-Pesa code at hand.")}>
    <p>
      {rich(
        msg("If something is wrong with a payment, a withdrawal, a league or an entry, tell us beside it: we see at once what it is about, and our answer stays there. [What you told us]"),
        (name) => <Link to="/cases">{name}</Link>,
      )}
    </p>
    <ContactOptions />
    <MoneyHelp />
    <Helpline />
    <Link className="link-row" to="/payment">{msg("Back to the main page")}</Link>
  </CardLayout>
);
