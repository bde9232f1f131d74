import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Suspense, type ComponentType } from "react";
import { expect, test, vi } from "vitest";
import * as page from "../lib/page";
import { orNothing, part } from "./part";

const gone = () => Promise.reject<ComponentType>(new TypeError("Failed to fetch dynamically imported module"));
const show = (Part: ComponentType) =>
  render(
    <>
      <p>The page</p>
      <Suspense fallback={<p>It comes.</p>}>
        <Part />
      </Suspense>
    </>,
  );

test("what does not come says so in its place, and the page around it stays", async () => {
  const logged = vi.spyOn(console, "error").mockReturnValue(undefined);
  const reload = vi.spyOn(page, "reloadPage").mockReturnValue(undefined);
  show(part(gone));
  expect(await screen.findByText("This could not be loaded.")).toBeInTheDocument();
  expect(screen.getByText("The page")).toBeInTheDocument();
  expect(logged).toHaveBeenCalledOnce();
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(reload).toHaveBeenCalledOnce();
});

test("what nobody has asked for leaves nothing where it does not come", async () => {
  vi.spyOn(console, "error").mockReturnValue(undefined);
  const { container } = show(orNothing(gone));
  expect(await screen.findByText("It comes.")).toBeInTheDocument();
  await vi.waitFor(() => expect(container).toHaveTextContent(/^The page$/));
});

test("what comes is shown", async () => {
  show(part(() => Promise.resolve(() => <p>A part</p>)));
  expect(await screen.findByText("A part")).toBeInTheDocument();
});
