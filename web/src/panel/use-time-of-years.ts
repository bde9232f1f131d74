import { useQuery } from "@tanstack/react-query";
import { gameweekStatusQuery } from "../api/queries";
import { productNow } from "../lib/clock";
import { eastAfricaTime, inEastAfrica } from "../lib/time";

const yearOf = (at: Date) => inEastAfrica(at).getUTCFullYear();

/** Says times that may be years ago: `Sat 22 Aug, 13:30` of this year, by the product's clock, else `Sat 22 Aug 2025, 13:30`. */
export function useTimeOfYears(): (time: string) => string {
  const { data: status, isError } = useQuery(gameweekStatusQuery);
  // Until the product has told its time most are of this year; where it does not, nobody knows which are.
  const isThisYear = (year: number) => (status ? year === yearOf(new Date(productNow(status.clock))) : !isError);
  return (time) => {
    const at = new Date(time);
    const said = eastAfricaTime(at);
    return isThisYear(yearOf(at)) ? said : said.replace(",", ` ${yearOf(at)},`);
  };
}
