import { Link } from "react-router";
import { ContactOptions } from "../../features/contact/ContactOptions";
import { Door } from "../Door";

export const ContactPage = () => (
  <Door title="Contact" lead="About a payment, please have the M-Pesa code at hand.">
    <ContactOptions />
    <Link className="link-row" to="/payment">
      Back to the main page
    </Link>
  </Door>
);
