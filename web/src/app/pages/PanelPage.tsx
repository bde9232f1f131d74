import { lazy, Suspense } from "react";
import { Navigate, NavLink, Route, Routes, useNavigate } from "react-router";
import { Skeleton } from "../../components/Skeleton";
import { LogOutDialog } from "../../features/accounts/LogOutDialog";
import { LightSafeguards } from "../../features/admin/LightSafeguards";
import { StepUp } from "../../features/accounts/panel/StepUp";
import { useSession } from "../../lib/session";
import { LogInFirst } from "../LogInFirst";
import { NoAdmin, useNoAdmin } from "../NoAdmin";
import { PanelDesk } from "../PanelDesk";
import { BarButton, Shell } from "../layouts/Shell";
import { useDialogs } from "../use-dialogs";
import { useEnglish } from "../use-english";
import styles from "../Panel.module.css";

const PanelApprovals = lazy(() => import("../PanelApprovals").then((m) => ({ default: m.PanelApprovals })));
const PanelCases = lazy(() => import("../PanelCases").then((m) => ({ default: m.PanelCases })));
const PanelBooks = lazy(() => import("../PanelBooks").then((m) => ({ default: m.PanelBooks })));
const PanelPlayers = lazy(() => import("../PanelPlayers").then((m) => ({ default: m.PanelPlayers })));
const PanelRecords = lazy(() => import("../PanelRecords").then((m) => ({ default: m.PanelRecords })));
const PanelSecurity = lazy(() => import("../PanelSecurity").then((m) => ({ default: m.PanelSecurity })));

const PARTS = [
  { to: "/panel", name: "Desk" },
  { to: "/panel/approvals", name: "Approvals" },
  { to: "/panel/cases", name: "Cases" },
  { to: "/panel/players", name: "Players" },
  { to: "/panel/books", name: "Books" },
  { to: "/panel/records", name: "Records" },
  { to: "/panel/security", name: "Log-in" },
];

/** The admins' panel. The server decides at every call what it may do. */
export function PanelPage() {
  const session = useSession();
  const navigate = useNavigate();
  const dialogs = useDialogs();
  const isAdmin = session?.role === "admin";
  const isEnglish = useEnglish(isAdmin);
  const why = useNoAdmin(isAdmin);

  if (!session) return <LogInFirst />;
  if (!isAdmin) return <Navigate to="/payment" replace />;
  if (!isEnglish) return <Skeleton height="20rem" />;
  if (why) return <NoAdmin why={why} />;

  return (
    <Shell title="Admin panel" home="/panel" inOneLanguage actions={<BarButton label="Log out" onClick={() => dialogs.open("logout")} />}>
      <h1 className="page-title">Admin panel</h1>
      <LightSafeguards />
      <nav className={styles.parts} aria-label="Parts of the panel">
        {PARTS.map(({ to, name }) => (
          <NavLink key={to} to={to} end={to === "/panel"} className={styles.part ?? ""}>
            {name}
          </NavLink>
        ))}
      </nav>
      <Suspense fallback={<Skeleton height="20rem" />}>
        <Routes>
          <Route index element={<PanelDesk />} />
          <Route path="approvals" element={<PanelApprovals />} />
          <Route path="cases/:id?" element={<PanelCases />} />
          <Route path="players/:player?" element={<PanelPlayers />} />
          <Route path="books" element={<PanelBooks />} />
          <Route path="records" element={<PanelRecords />} />
          <Route path="security" element={<PanelSecurity />} />
          <Route path="*" element={<Navigate to="/panel" replace />} />
        </Routes>
      </Suspense>
      <StepUp />
      <LogOutDialog
        open={dialogs.shown === "logout"}
        onClose={dialogs.close}
        onLoggedOut={() => void navigate("/")}
      />
    </Shell>
  );
}
