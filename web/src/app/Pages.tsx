import { lazy, Suspense, type ComponentType } from "react";
import { Navigate, Outlet, Route, Routes, useLocation } from "react-router";
import { ScrollRestoration } from "./ScrollRestoration";
import { ErrorBoundary } from "./ErrorBoundary";
import { LoginPage } from "./pages/LoginPage";
import { Loading } from "./Loading";

/** A page that comes when it is opened: what a first visit needs is in the entry, the rest is not. */
const page = <Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) =>
  lazy(async () => ({ default: (await load())[name] }));

const books = () => import("./pages/books");
const mailLinks = () => import("./pages/mail-links");
const ownMoney = () => import("./pages/own-money");
const ownAccount = () => import("./pages/own-account");

const Providers = lazy(() => import("./Providers").then((m) => ({ default: m.Providers })));
const PaymentPage = lazy(() => import("./pages/PaymentPage").then((m) => ({ default: m.PaymentPage })));
const RegisterPage = page(() => import("./pages/RegisterPage"), "RegisterPage");
const GetFplIdPage = page(() => import("./pages/GetFplIdPage"), "GetFplIdPage");
const TutorialPage = page(() => import("./pages/TutorialPage"), "TutorialPage");
const ForgotPasswordPage = page(() => import("./pages/ForgotPasswordPage"), "ForgotPasswordPage");
const ResetPasswordPage = page(() => import("./pages/ResetPasswordPage"), "ResetPasswordPage");
const CancelWithdrawalPage = page(mailLinks, "CancelWithdrawalPage");
const UnsubscribePage = page(mailLinks, "UnsubscribePage");
const RefPage = page(() => import("./pages/RefPage"), "RefPage");
const GameweekPage = page(() => import("./pages/GameweekPage"), "GameweekPage");
const LeaguesPage = page(() => import("./pages/LeaguesPage"), "LeaguesPage");
const DrawPage = page(() => import("./pages/DrawPage"), "DrawPage");
const SettlementPage = page(() => import("./pages/SettlementPage"), "SettlementPage");
const EntriesPage = page(ownMoney, "EntriesPage");
const TrustPage = page(books, "TrustPage");
const ProofPage = page(books, "ProofPage");
const StatementPage = page(ownMoney, "StatementPage");
const TransactionsPage = page(ownMoney, "TransactionsPage");
const TeamPage = page(ownAccount, "TeamPage");
const InvitePage = page(ownAccount, "InvitePage");
const WithdrawalsPage = page(ownMoney, "WithdrawalsPage");
const NotificationsPage = page(ownAccount, "NotificationsPage");
const AccountPage = page(ownAccount, "AccountPage");
const CasesPage = page(ownAccount, "CasesPage");
const CasePage = page(ownAccount, "CasePage");
const LimitsPage = page(ownAccount, "LimitsPage");
const ContactPage = page(() => import("./pages/ContactPage"), "ContactPage");
const TermsPage = page(() => import("./pages/TermsPage"), "TermsPage");
const PrivacyPage = page(() => import("./pages/PrivacyPage"), "PrivacyPage");
const ResponsiblePlayPage = page(() => import("./pages/ResponsiblePlayPage"), "ResponsiblePlayPage");
const PanelPage = page(() => import("./pages/PanelPage"), "PanelPage");
const NotFoundPage = page(() => import("./pages/NotFoundPage"), "NotFoundPage");

/** Every screen and its address (spec §2). */
export function Pages() {
  const { pathname } = useLocation();
  return (
    <>
      <ScrollRestoration />
      <ErrorBoundary place={pathname}>
        <Suspense fallback={<Loading />}>
          <Routes>
            <Route path="/" element={<LoginPage />} />
            <Route path="/login" element={<LoginPage />} />
            <Route path="/register" element={<RegisterPage />} />
            <Route path="/signup" element={<RegisterPage />} />
            <Route path="/get-fpl-id" element={<GetFplIdPage />} />
            <Route path="/tutorial" element={<TutorialPage />} />
            <Route path="/forgot-password" element={<ForgotPasswordPage />} />
            <Route path="/reset-password/:token?" element={<ResetPasswordPage />} />
            <Route path="/cancel-withdrawal/:token" element={<CancelWithdrawalPage />} />
            <Route path="/unsubscribe/:token" element={<UnsubscribePage />} />
            <Route path="/ref/:code" element={<RefPage />} />
            <Route path="/gameweek" element={<GameweekPage />} />
            <Route path="/terms/:version?" element={<TermsPage />} />
            <Route path="/privacy" element={<PrivacyPage />} />
            <Route element={<Providers><Outlet /></Providers>}>
              <Route path="/contact" element={<ContactPage />} />
              <Route path="/responsible-play" element={<ResponsiblePlayPage />} />
              <Route path="/payment" element={<PaymentPage />} />
              <Route path="/checkout-wallet" element={<PaymentPage checkout />} />
              <Route path="/leagues" element={<LeaguesPage />} />
              <Route path="/leagues/:league/settlement" element={<SettlementPage />} />
              <Route path="/gameweeks/:gameweek/draw" element={<DrawPage />} />
              <Route path="/entries" element={<EntriesPage />} />
              <Route path="/statement" element={<StatementPage />} />
              <Route path="/transactions" element={<TransactionsPage />} />
              <Route path="/trust" element={<TrustPage />} />
              <Route path="/proof" element={<ProofPage />} />
              <Route path="/team" element={<TeamPage />} />
              <Route path="/invite" element={<InvitePage />} />
              <Route path="/withdrawals" element={<WithdrawalsPage />} />
              <Route path="/notifications" element={<NotificationsPage />} />
              <Route path="/account" element={<AccountPage />} />
              <Route path="/limits" element={<LimitsPage />} />
              <Route path="/cases" element={<CasesPage />} />
              <Route path="/cases/:id" element={<CasePage />} />
              <Route path="/panel/*" element={<PanelPage />} />
            </Route>
            <Route path="/index.html" element={<Navigate to="/" replace />} />
            <Route path="*" element={<NotFoundPage />} />
          </Routes>
        </Suspense>
      </ErrorBoundary>
    </>
  );
}
