/** Signs the player up who is to become the second admin (infra/e2e.sh). */
const { BASE_URL, SECOND_ADMIN } = process.env;
const { terms } = await (await fetch(`${BASE_URL}/api/settings`)).json();
const answer = await fetch(`${BASE_URL}/api/signup`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ email: SECOND_ADMIN, username: "second", password: "correct horse", fplId: "699999", over18: true, terms }),
});
if (answer.status !== 201) throw new Error(`signing up: ${answer.status} ${await answer.text()}`);
