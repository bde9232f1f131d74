import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { BrowserRouter, Link, Route, Routes } from "react-router";
import { beforeEach, expect, test, vi } from "vitest";
import { Dialog } from "./Dialog";
import { useBackCloses } from "./use-back-closes";

function WithDialog({ busy }: { busy: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} busy={busy} title="Are you sure?">
        <Link to="/third">On</Link>
      </Dialog>
    </>
  );
}

function App({ busy = false }: { busy?: boolean }) {
  useBackCloses();
  return (
    <BrowserRouter>
      <Routes>
        <Route path="/first" element={<Link to="/second">Second</Link>} />
        <Route path="/second" element={<WithDialog busy={busy} />} />
        <Route path="/third" element="Third" />
      </Routes>
    </BrowserRouter>
  );
}

async function openDialog({ busy = false } = {}) {
  render(<App busy={busy} />);
  await userEvent.click(screen.getByRole("link", { name: "Second" }));
  await userEvent.click(await screen.findByRole("button", { name: "Open" }));
  return screen.getByRole("dialog");
}

/** As the phone's own button does. */
async function goBack() {
  const popped = new Promise((resolve) => window.addEventListener("popstate", resolve, { once: true }));
  history.back();
  await popped;
}

beforeEach(() => history.pushState(null, "", "/first"));

test("back closes the dialog and stays on the page; the next one leaves it", async () => {
  const dialog = await openDialog();
  await goBack();
  expect(dialog).not.toHaveAttribute("open");
  expect(location.pathname).toBe("/second");
  await goBack();
  expect(location.pathname).toBe("/first");
});

test("a dialog that was closed otherwise costs no second press", async () => {
  await openDialog();
  await userEvent.click(screen.getByRole("button", { name: "Close" }));
  await userEvent.click(screen.getByRole("button", { name: "Open" }));
  await userEvent.click(screen.getByRole("button", { name: "Close" }));
  await goBack();
  await waitFor(() => expect(location.pathname).toBe("/first"));
});

test("a dialog that is busy stays, however often", async () => {
  const dialog = await openDialog({ busy: true });
  await goBack();
  await goBack();
  expect(dialog).toHaveAttribute("open");
  expect(location.pathname).toBe("/second");
});

test("who left the page from the dialog comes back to the page", async () => {
  await openDialog();
  await userEvent.click(screen.getByRole("link", { name: "On" }));
  await screen.findByText("Third");
  await goBack();
  expect(await screen.findByRole("button", { name: "Open" })).toBeInTheDocument();
  await goBack();
  await waitFor(() => expect(location.pathname).toBe("/first"));
});

test("a browser that sees to it itself is left alone", async () => {
  vi.stubGlobal("CloseWatcher", class {});
  await openDialog();
  await goBack();
  expect(location.pathname).toBe("/first");
});
