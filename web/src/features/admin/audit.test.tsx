import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import type { Schemas } from "../../api/client";
import { logInAs } from "../../testing/app";
import { part } from "../../testing/panel";
import { json, server, url } from "../../testing/server";
import { csv, saving } from "../../testing/tables";

beforeEach(() => {
  logInAs("admin");
  server.use(http.get(url("/api/admin/audit"), () => json([])));
});

const RECORDS = "/panel/records";

describe("audit log", () => {
  const ACT: Schemas["AuditItem"] = {
    _id: "a1",
    at: "2026-08-20T09:00:00Z",
    by: "admin",
    byId: "u9",
    byName: "achieng",
    what: "update-withdrawal",
    on: "withdrawal w1",
    userId: "u7",
    before: "pending",
    after: "rejected, KSh 60",
    reason: "Not registered.",
  };

  test("who did what, when, what changed and why; pages", async () => {
    server.use(
      http.get(url("/api/admin/audit"), ({ request }) =>
        new URL(request.url).searchParams.get("cursor")
          ? json([{ ...ACT, _id: "a2", by: "reconciliation", byName: null, what: "set-switches", on: "payouts", userId: null }])
          : json([ACT], { headers: { "x-next-cursor": "p2" } }),
      ),
    );
    const section = await part("Audit log", RECORDS);
    expect(await section.findByText("Closed a withdrawal")).toBeInTheDocument();
    expect(section.getByText("pending → rejected, KSh 60")).toBeInTheDocument();
    expect(section.getByText("“Not registered.”")).toBeInTheDocument();
    expect(section.getByRole("link", { name: "Player u7" })).toHaveAttribute("href", "/panel/players/u7");
    expect(section.getByText("achieng · Thu 20 Aug, 12:00")).toBeInTheDocument();
    await userEvent.click(section.getByRole("button", { name: "Show more" }));
    expect(await section.findByText(/^Comparison of the books ·/)).toBeInTheDocument();
    expect(section.getAllByRole("link")).toHaveLength(1);
  });

  test.each([
    [
      { what: "confirm-manual-payment", before: null, after: "proposed: Credit KSh 15,000 for a typed code: NLJ7RT61SV. It waits for a second admin" },
      "Proposed: Credit KSh 15,000 for a typed code: NLJ7RT61SV",
      "Confirmed a typed code",
    ],
    [{ what: "pay-withdrawal", before: "sent", after: "pending: it was not sent" }, "A payout was not sent", "Paid a withdrawal by M-Pesa"],
    [{ what: "decide-league", before: null, after: "looked at again" }, "Had a waiting league read again", "Decided a waiting league"],
    [{ what: "decide-league", before: "waits: Team 7.", after: "refund" }, "Decided a waiting league", "Had a waiting league read again"],
  ])("what was not done is not told as done (%#)", async (act, said, unsaid) => {
    server.use(http.get(url("/api/admin/audit"), () => json([{ ...ACT, ...act }])));
    const section = await part("Audit log", RECORDS);
    expect(await section.findByText(said)).toBeInTheDocument();
    expect(section.queryByText(unsaid)).not.toBeInTheDocument();
  });

  test("an act of another year has its year", async () => {
    server.use(http.get(url("/api/admin/audit"), () => json([{ ...ACT, at: "2025-08-20T09:00:00Z" }])));
    const section = await part("Audit log", RECORDS);
    expect(await section.findByText("achieng · Wed 20 Aug 2025, 12:00")).toBeInTheDocument();
  });

  test("another month is asked for, by the product's calendar", async () => {
    const months: (string | null)[] = [];
    server.use(
      http.get(url("/api/admin/audit"), ({ request }) => {
        months.push(new URL(request.url).searchParams.get("month"));
        return json([]);
      }),
    );
    const section = await part("Audit log", RECORDS);
    await section.findByRole("option", { name: "August 2026" });
    await userEvent.selectOptions(section.getByLabelText("Month (UTC)"), "July 2026");
    expect(await section.findByText("Nothing was done by hand in this month.")).toBeInTheDocument();
    await expect.poll(() => months.at(-1)).toBe("2026-07");
  });

  test("the month as a table: its pages make one file", async () => {
    const saved = saving();
    const accepted: (string | null)[] = [];
    server.use(
      http.get(url("/api/admin/audit"), ({ request }) => {
        const accept = request.headers.get("accept");
        if (accept !== "text/csv") return json([]);
        accepted.push(new URL(request.url).searchParams.get("month"));
        return new URL(request.url).searchParams.get("cursor") ? csv("2\r\n") : csv("id\r\n1\r\n", "p2");
      }),
    );
    const section = await part("Audit log", RECORDS);
    await section.findByRole("option", { name: "August 2026" });
    await userEvent.click(section.getByRole("button", { name: "Download this month as CSV" }));
    expect(await section.findByText("Saved audit-2026-08.csv: 2 rows.")).toBeInTheDocument();
    expect(saved).toHaveBeenCalledWith("audit-2026-08.csv", ["id\r\n1\r\n", "2\r\n"], expect.stringContaining("text/csv"));
    expect(accepted).toEqual(["2026-08", "2026-08"]);
  });
});
