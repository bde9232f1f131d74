import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Schemas } from "../api/client";
import * as file from "../lib/save-file";
import { logInAs } from "../testing/app";
import { gate } from "../testing/gate";
import { part } from "../testing/panel";
import { json, server, told, url } from "../testing/server";

beforeEach(() => {
  logInAs("admin");
  server.use(http.get(url("/api/admin/audit"), () => json([])));
});

const RECORDS = "/panel/records";
const csv = (text: string, next?: string) =>
  new HttpResponse(text, { headers: { "content-type": "text/csv", ...(next && { "x-next-cursor": next }) } });
const saving = () => vi.spyOn(file, "saveFile").mockReturnValue(undefined);

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

describe("exports", () => {
  const PATH = "/api/admin/exports/:what";
  const download = async () => {
    const section = await part("Exports", RECORDS);
    await expect.poll(() => section.getByLabelText<HTMLInputElement>("Last day (UTC)").value).toBe("2026-08-20");
    return section;
  };

  test("pages are appended to one file, and how far it is is shown", async () => {
    const saved = saving();
    const second = gate<ReturnType<typeof csv>>();
    const asked: string[] = [];
    server.use(
      http.get(url(PATH), ({ request, params }) => {
        const { searchParams } = new URL(request.url);
        asked.push(`${String(params.what)} ${searchParams}`);
        return searchParams.get("cursor") ? second.wait() : csv("at,amount\r\n2026-08-05T08:00:00Z,50\r\n", "p2");
      }),
    );
    const section = await download();
    await userEvent.selectOptions(section.getByLabelText("Table"), "Withdrawals");
    await userEvent.click(section.getByRole("button", { name: "Download CSV" }));
    expect(await section.findByText("1 row so far, up to 5 Aug.")).toBeInTheDocument();
    expect(section.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "25");
    second.open(csv("2026-08-19T08:00:00Z,60\r\n"));
    expect(await section.findByText("Saved withdrawals-2026-08-01-2026-08-20.csv: 2 rows.")).toBeInTheDocument();
    expect(asked).toEqual(["withdrawals from=2026-08-01&to=2026-08-20", "withdrawals from=2026-08-01&to=2026-08-20&cursor=p2"]);
    expect(saved.mock.calls[0]?.[1].join("")).toBe("at,amount\r\n2026-08-05T08:00:00Z,50\r\n2026-08-19T08:00:00Z,60\r\n");
  });

  test("a page that fails: what has come stays, and it goes on where it broke off", async () => {
    const saved = saving();
    const cursors: (string | null)[] = [];
    server.use(
      http.get(url(PATH), ({ request }) => {
        const cursor = new URL(request.url).searchParams.get("cursor");
        cursors.push(cursor);
        if (!cursor) return csv("at\r\n2026-08-05T08:00:00Z\r\n", "p2");
        return cursors.length === 2 ? told(503, "Please try again in a moment.") : csv("2026-08-06T08:00:00Z\r\n");
      }),
    );
    const section = await download();
    await userEvent.click(section.getByRole("button", { name: "Download CSV" }));
    expect(await section.findByRole("alert")).toHaveTextContent("Please try again in a moment.");
    expect(saved).not.toHaveBeenCalled();
    await userEvent.click(section.getByRole("button", { name: "Go on after 1 row" }));
    expect(await section.findByText("Saved postings-2026-08-01-2026-08-20.csv: 2 rows.")).toBeInTheDocument();
    expect(cursors).toEqual([null, "p2", "p2"]);
  });

  test("a period that is none is not asked for", async () => {
    const section = await download();
    await userEvent.clear(section.getByLabelText("First day (UTC)"));
    await userEvent.type(section.getByLabelText("First day (UTC)"), "2026-09-01");
    await userEvent.click(section.getByRole("button", { name: "Download CSV" }));
    expect(section.getByRole("alert")).toHaveTextContent("The last day comes before the first.");
    await userEvent.clear(section.getByLabelText("First day (UTC)"));
    expect(section.getAllByRole("alert").map((alert) => alert.textContent)).toContain("Enter a day, such as 2026-11-20.");
  });

  test("it can be stopped, and nothing is saved", async () => {
    const saved = saving();
    const held = gate<ReturnType<typeof csv>>();
    server.use(http.get(url(PATH), () => held.wait()));
    const section = await download();
    await userEvent.click(section.getByRole("button", { name: "Download CSV" }));
    await held.asked;
    await userEvent.click(section.getByRole("button", { name: "Stop" }));
    await expect.poll(() => section.queryByRole("progressbar")).toBeNull();
    held.open(csv("at\r\n"));
    expect(screen.queryByText(/^Saved/)).not.toBeInTheDocument();
    expect(saved).not.toHaveBeenCalled();
  });
});
