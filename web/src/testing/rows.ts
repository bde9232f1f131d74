/** The page's list as a test reads it: its rows, and their texts. */
import { screen } from "@testing-library/react";

export const rows = async () => (await screen.findAllByRole("listitem")).filter((item) => item.closest("main"));
export const texts = async () => (await rows()).map((row) => row.textContent);
