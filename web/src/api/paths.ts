/**
 * The calls, in the form that openapi-typescript generates. Replaced by `schema.d.ts` as soon as
 * the API's own document is there; `client.ts` is the only file that imports it.
 */
type Json<T> = { content: { "application/json": T } };
type Text = { content: { "text/plain": string } };
type Message = { message: string };
type Refusals = { 400: Json<Message>; 401: Json<Message>; 403: Json<Message>; 404: Json<Message>; 409: Json<Message> };
type Call<Body, Ok, Params = object> = {
  parameters: Params;
  responses: { 200: Json<Ok> } & Refusals;
} & (Body extends null ? { requestBody?: never } : { requestBody: Json<Body> });
type Read<Ok, Params = object> = { get: { parameters: Params; responses: { 200: Json<Ok> } & Refusals } };

export type LoginAnswer = {
  status: string;
  username: string;
  fplId: string;
  email: string;
  accessToken: string;
  _id: string;
  role: string;
};
export type User = { username: string; wallet: number; fplId: string; email: string };
export type AmountStatus = { entryAmount: number; entries: number; fullLeaguePrize: number };
export type GameweekStatus = {
  isOpen: boolean;
  gameweek: number | null;
  deadline: string | null;
  now: string;
  state: string | null;
  feePercent: number;
  deductTransferPoints: boolean;
  amounts: AmountStatus[];
};
export type Started = { success: boolean; checkoutId?: string; message?: string };
export type PromptStatus = { success: boolean; status: string; message?: string | null; entered?: boolean };
export type LeagueUser = {
  fplId: string;
  username: string;
  points: number | null;
  points_on_bench: number | null;
  rank: number | null;
  prize: number | null;
};
export type League = { _id: string; number: number; state: string; own: boolean; users: LeagueUser[] };
export type Points = {
  points: number | null;
  points_on_bench: number | null;
  status?: string | null;
  asOf?: string | null;
};
export type Withdrawal = {
  _id: string;
  userId: string;
  username: string;
  mpesaNumber: string;
  amount: number;
  status: string;
  createdAt: string;
};
export type Settling = {
  message: string;
  gameweek: number;
  state: string;
  leagues: number;
  settled: number;
  waiting: number;
  toPay: number;
};

type Keyed = { header?: { "Idempotency-Key"?: string } };

export type paths = {
  "/api/signup": {
    post: {
      parameters: object;
      requestBody: Json<{
        email: string;
        username: string;
        password: string;
        fplId: string;
        ref?: string;
        over18?: boolean;
      }>;
      responses: { 201: Text; 409: Text; 400: Json<Message> };
    };
  };
  "/api/login": { post: Call<{ email: string; password: string }, LoginAnswer> };
  "/logout": { post: Call<null, object> };
  "/current-gameweek": Read<{ currentGameweek: number | null }>;
  "/api/gameweek/status": Read<GameweekStatus>;
  "/api/user": Read<User>;
  "/api/users/{userId}/wallet": Read<{ wallet: number }, { path: { userId: string } }>;
  "/api/pay": {
    post: Call<{ phone: string; amount: number; fplId: string; entryAmount: number; gameweek: number }, Started, Keyed>;
  };
  "/api/pay/status": Read<PromptStatus, { query: { checkoutId: string } }>;
  "/api/deposits": { post: Call<{ phone: string; amount: number; userId: string }, Started, Keyed> };
  "/api/deposits/status": Read<PromptStatus, { query: { checkoutId: string } }>;
  "/api/join-league": {
    post: {
      parameters: object;
      requestBody: Json<{ fplId: string; entryAmount: number; gameweek: number; checkoutId?: string }>;
      responses: { 201: Json<Message> } & Refusals;
    };
  };
  "/api/leagues": Read<League[], { query: { gameweek: number; entryAmount: number; cursor?: string } }>;
  "/api/points/{fplId}": Read<Points, { path: { fplId: string }; query?: { gameweek?: number } }>;
  "/api/withdraw": Read<Withdrawal[]> & {
    post: Call<{ mpesaNumber: string; amount: number }, { message: string; walletBalance: number }, Keyed>;
  };
  "/api/withdraw/{id}": { put: Call<{ status: string; reason?: string }, object, { path: { id: string } }> };
  "/api/gameweek/process-winners": { post: Call<{ gameweek?: number }, Settling> };
  "/api/points/toggle-deduction": { post: Call<null, { deductTransferPoints: boolean; message?: string }> };
};
