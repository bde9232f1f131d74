import { lazy, Suspense } from "react";
import { Navigate, Outlet, Route, Routes } from "react-router";
import { LoginPage } from "./pages/LoginPage";
import { RegisterPage } from "./pages/RegisterPage";
import { SessionExpiry } from "./SessionExpiry";
import { Starting } from "./Starting";

// What a first visit needs is in the entry; the rest comes when it is opened.
const Data = lazy(() => import("./Data").then((m) => ({ default: m.Data })));
const PaymentPage = lazy(() => import("./pages/PaymentPage").then((m) => ({ default: m.PaymentPage })));
const LeaguesPage = lazy(() => import("./pages/LeaguesPage").then((m) => ({ default: m.LeaguesPage })));
const PanelPage = lazy(() => import("./pages/PanelPage").then((m) => ({ default: m.PanelPage })));
const GetFplIdPage = lazy(() => import("./pages/GetFplIdPage").then((m) => ({ default: m.GetFplIdPage })));
const NotFoundPage = lazy(() => import("./pages/NotFoundPage").then((m) => ({ default: m.NotFoundPage })));

/** Every screen and its address (spec section 2). */
export function Pages() {
  return (
    <>
      <SessionExpiry />
      <Suspense fallback={<Starting />}>
        <Routes>
          <Route path="/" element={<LoginPage />} />
          <Route path="/login" element={<LoginPage />} />
          <Route path="/register" element={<RegisterPage />} />
          <Route path="/signup" element={<RegisterPage />} />
          <Route path="/get-fpl-id" element={<GetFplIdPage />} />
          <Route element={<Data><Outlet /></Data>}>
            <Route path="/payment" element={<PaymentPage />} />
            <Route path="/checkout-wallet" element={<PaymentPage checkout />} />
            <Route path="/leagues" element={<LeaguesPage />} />
            <Route path="/panel" element={<PanelPage />} />
          </Route>
          <Route path="/index.html" element={<Navigate to="/" replace />} />
          <Route path="*" element={<NotFoundPage />} />
        </Routes>
      </Suspense>
    </>
  );
}
