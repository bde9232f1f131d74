import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import { logInAs } from "../../testing/app";
import { gate } from "../../testing/gate";
import { part } from "../../testing/panel";
import { json, server, told, url } from "../../testing/server";
import { csv, saving } from "../../testing/tables";

beforeEach(() => {
  logInAs("admin");
  server.use(http.get(url("/api/admin/audit"), () => json([])));
});

const RECORDS = "/panel/records";

describe("exports", () => {
  const PATH = "/api/admin/exports/:what";
  const download = async () => {
    const section = await part("Exports", RECORDS);
    await expect.poll(() => section.getByLabelText<HTMLInputElement>("Last day (Kenya)").value).toBe("2026-08-20");
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
    expect((saved.mock.calls[0]?.[1] as string[]).join("")).toBe("at,amount\r\n2026-08-05T08:00:00Z,50\r\n2026-08-19T08:00:00Z,60\r\n");
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
    await userEvent.clear(section.getByLabelText("First day (Kenya)"));
    await userEvent.type(section.getByLabelText("First day (Kenya)"), "2026-09-01");
    await userEvent.click(section.getByRole("button", { name: "Download CSV" }));
    expect(section.getByRole("alert")).toHaveTextContent("The last day comes before the first.");
    await userEvent.clear(section.getByLabelText("First day (Kenya)"));
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
