/** How far what is seen moves by itself, as browsers score it. */
import type { Page } from "@playwright/test";

export const watchShifts = (page: Page) =>
  page.addInitScript(() => {
    const watched = window as unknown as { shifted: number };
    watched.shifted = 0;
    type Shift = PerformanceEntry & { value: number };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) watched.shifted += (entry as Shift).value;
    }).observe({ type: "layout-shift", buffered: true });
  });

export const shifts = (page: Page) => page.evaluate(() => (window as unknown as { shifted: number }).shifted);
