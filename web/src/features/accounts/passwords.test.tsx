import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { openAt } from "../../testing/app";
import { gate } from "../../testing/gate";
import { json, server, told, url } from "../../testing/server";

// Two seconds pass as fast as they can.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true }));
const user = () => userEvent.setup({ advanceTimers: vi.advanceTimersByTime });

async function askFor(email: string) {
  openAt("/forgot-password");
  if (email) await user().type(await screen.findByLabelText("Email"), email);
  await user().click(await screen.findByRole("button", { name: "Send Reset Link" }));
}

describe("forgot password (spec sections 2, 4, 5 and 8)", () => {
  test("is reached from the login page", async () => {
    openAt("/login");
    await user().click(await screen.findByRole("link", { name: "Forgot password?" }));
    expect(await screen.findByTestId("/forgot-password")).toBeInTheDocument();
  });

  test("'Sending...' while it is sent, then the server's message", async () => {
    const sent = gate<Response>();
    const bodies: unknown[] = [];
    server.use(
      http.post(url("/api/forgot-password"), async ({ request }) => {
        bodies.push(await request.json());
        return sent.wait();
      }),
    );
    await askFor("wanjiru@example.com");
    await sent.asked;
    expect(screen.getByRole("button", { name: /Sending\.\.\./ })).toBeDisabled();
    sent.open(json({ message: "A link is on its way." }));
    expect(await screen.findByText("A link is on its way.")).toBeInTheDocument();
    expect(bodies).toEqual([{ email: "wanjiru@example.com" }]);
  });

  test.each([
    [() => json({}), "If the email exists, a reset link has been sent."],
    [() => told(429, "Asked for too often. Try again in an hour."), "Asked for too often. Try again in an hour."],
    [() => json({}, { status: 500 }), "Something went wrong. Please try again."],
    [() => Response.error(), "Something went wrong. Please try again."],
  ])("the default texts (%#)", async (answer, text) => {
    server.use(http.post(url("/api/forgot-password"), answer));
    await askFor("wanjiru@example.com");
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(screen.getByLabelText("Email")).toHaveValue("wanjiru@example.com");
  });

  test("an email is required, and nothing is sent without one", async () => {
    await askFor("");
    expect(screen.getByLabelText("Email")).toHaveAccessibleDescription("Enter your email.");
  });
});

async function reset(address: string, password: string) {
  openAt(address);
  if (password) await user().type(await screen.findByLabelText("New password"), password);
  await user().click(await screen.findByRole("button", { name: "Reset Password" }));
}

describe("reset password (spec sections 2, 4, 5 and 8)", () => {
  test("'Resetting...', the success message, and to /login after two seconds", async () => {
    const answer = gate<Response>();
    const bodies: unknown[] = [];
    server.use(
      http.post(url("/api/reset-password/abc123"), async ({ request }) => {
        bodies.push(await request.json());
        return answer.wait();
      }),
    );
    await reset("/reset-password/abc123", " secret7 ");
    await answer.asked;
    expect(screen.getByRole("button", { name: /Resetting\.\.\./ })).toBeDisabled();
    answer.open(json({}));
    expect(await screen.findByText(/^Password has been reset successfully\./)).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Reset Password" })).toBeDisabled();
    expect(screen.getByTestId("/reset-password/abc123")).toBeInTheDocument();
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(screen.getByTestId("/reset-password/abc123")).toBeInTheDocument();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await screen.findByTestId("/login")).toBeInTheDocument();
    expect(bodies).toEqual([{ newPassword: "secret7" }]);
  });

  test.each([
    [() => told(429, "Too many tries. Wait a minute."), "Too many tries. Wait a minute."],
    [() => json({}, { status: 400 }), "Invalid or expired token."],
    [() => Response.error(), "No clear answer came. Your new password may be set already: try to log in with it."],
    [() => json({ message: "Service Unavailable" }, { status: 503 }), "No clear answer came. Your new password may be set already: try to log in with it."],
  ])("a refusal keeps the form and offers a new link (%#)", async (answer, text) => {
    server.use(http.post(url("/api/reset-password/abc123"), answer));
    await reset("/reset-password/abc123", "secret7");
    expect(await screen.findByRole("alert")).toHaveTextContent(text);
    expect(screen.getByRole("link", { name: "Ask for a new link" })).toHaveAttribute("href", "/forgot-password");
    expect(screen.getByLabelText("New password")).toHaveValue("secret7");
  });

  test("the server's own words, where it says some", async () => {
    server.use(http.post(url("/api/reset-password/abc123"), () => json({ message: "Your password is new." })));
    await reset("/reset-password/abc123", "secret7");
    expect(await screen.findByText(/^Your password is new\./)).toBeInTheDocument();
  });

  test("without a token nothing is sent", async () => {
    await reset("/reset-password", "secret7");
    expect(await screen.findByRole("alert")).toHaveTextContent("Invalid or expired token.");
  });

  test.each([
    ["", /^Enter a new password\./],
    ["12345", /Password must be at least 6 characters long\./],
  ])("the password %j", async (password, text) => {
    await reset("/reset-password/abc123", password);
    expect(screen.getByLabelText("New password")).toHaveAccessibleDescription(text);
  });
});
