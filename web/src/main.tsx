import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App";
import { startUp } from "./app/start-up";
import { listenForInstall } from "./lib/install";
import "./app/kit.css";
import "./app/theme.css";
import "./app/base.css";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

listenForInstall();
createRoot(root).render(
  <StrictMode>
    <App started={startUp()} />
  </StrictMode>,
);
