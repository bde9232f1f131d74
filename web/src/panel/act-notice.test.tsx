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

test("who is typing already is not taken away from it", async () => {
  const seen = vi.spyOn(Element.prototype, "scrollIntoView");
  render(
    <>
      <input aria-label="Code" />
      <ActNotice outcome={{ done: "Scan the picture." }} />
    </>,
  );
  screen.getByLabelText("Code").focus();
  await waitFor(() => expect(seen).toHaveBeenCalled());
  expect(screen.getByLabelText("Code")).toHaveFocus();
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
