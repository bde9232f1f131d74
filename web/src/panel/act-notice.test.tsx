import { render, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { ActNotice } from "./ActNotice";

test.each([
  ["status", { done: "The withdrawal is done." }],
  ["alert", { problem: "Payouts are paused." }],
])("what came of an act is led to once the dialog that asked has closed, and is announced as a %s", async (role, outcome) => {
  const seen = vi.spyOn(Element.prototype, "scrollIntoView");
  const { rerender } = render(<ActNotice outcome={null} />);
  rerender(<ActNotice outcome={outcome} />);
  const notice = screen.getByRole(role);
  expect(seen).not.toHaveBeenCalled();
  await waitFor(() => expect(notice.closest("[tabindex='-1']")).toHaveFocus());
  expect(seen).toHaveBeenCalledExactlyOnceWith({ block: "center" });
});

test.each([
  ["an input", <input key="field" aria-label="Field" />],
  ["a textarea", <textarea key="field" aria-label="Field" />],
  ["a select", <select key="field" aria-label="Field" />],
])("who is at %s already stays there, and the page with it", async (_what, field) => {
  const seen = vi.spyOn(Element.prototype, "scrollIntoView");
  render(
    <>
      {field}
      <ActNotice outcome={{ done: "Scan the picture." }} />
    </>,
  );
  screen.getByLabelText("Field").focus();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(seen).not.toHaveBeenCalled();
  expect(screen.getByLabelText("Field")).toHaveFocus();
});

test("a notice that goes at once leads nowhere, and one that stays leads to itself once", async () => {
  const seen = vi.spyOn(Element.prototype, "scrollIntoView");
  const frames = vi.spyOn(window, "requestAnimationFrame");
  const outcome = { done: "It is done." };
  const { rerender } = render(<ActNotice outcome={outcome} />);
  rerender(<ActNotice outcome={null} />);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(seen).not.toHaveBeenCalled();
  rerender(<ActNotice outcome={outcome} />);
  rerender(<ActNotice outcome={outcome} />);
  expect(frames).toHaveBeenCalledTimes(2);
});
