import { act, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { StatusBars } from "./StatusBars";

test("without a network it is said, and with one it goes", () => {
  const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  render(<StatusBars />);
  expect(screen.getByText("You are offline.")).toBeInTheDocument();
  online.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event("online")));
  expect(screen.queryByText("You are offline.")).not.toBeInTheDocument();
});
