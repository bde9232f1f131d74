import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "./client";
import { settingsQuery, userQuery } from "./queries";

type Known<T> = T | undefined;

/** Whether a player may play: who may not is neither told to go on, nor to bring others. */
export const mayPlay = (user: Schemas["User"]): boolean => !user.stopped && !user.suspended && !user.ageProofWanted;

/** Whether a player is asked to bring others: where the operator may advertise, and never who may not play. */
export const mayPromote = (settings: Known<Schemas["PublicSettings"]>, user: Known<Schemas["User"]>): boolean =>
  settings?.promotions === true && user !== undefined && mayPlay(user);

export const useMayPromote = () => mayPromote(useQuery(settingsQuery).data, useQuery(userQuery).data);
