/** Lists that come in pages: `x-next-cursor` of one answer is the `cursor` of the next. */
import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { answerOf, type Result } from "./refusal";

export type Page<T> = { items: T[]; next: string | null };

export async function pageOf<T>(call: Promise<Result<T[]>>): Promise<Page<T>> {
  const items = await answerOf(call);
  return { items, next: (await call).response.headers.get("x-next-cursor") };
}

type Load<T> = (query: { cursor?: string }, signal: AbortSignal) => Promise<Result<T[]>>;

/** How often a list is read anew, in milliseconds; it may depend on what is in it, and on how often it was read. */
type Pace<T> = number | false | ((items: readonly T[], reads: number) => number | false);

export const listQuery = <T>(queryKey: readonly unknown[], load: Load<T>, pace: Pace<T> = false) =>
  infiniteQueryOptions({
    queryKey,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => pageOf(load(pageParam ? { cursor: pageParam } : {}, signal)),
    getNextPageParam: (page) => page.next,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      typeof pace === "function" ? pace(data?.pages.flatMap((page) => page.items) ?? [], dataUpdateCount) : pace,
    meta: { isList: true },
  });

/** `failed`: it was asked for and did not come. */
type More = { load: () => void; loading: boolean; failed: boolean };

export type List<T> = {
  /** Undefined until there is an answer. */
  items: T[] | undefined;
  failed: boolean;
  /** The last reading failed: the items are of one before. */
  stale: boolean;
  refreshing: boolean;
  refresh: () => void;
  /** The next page, where there is one. */
  more: More | null;
};

/** A list as far as it has been asked for; what two pages carry is in it once. */
export function useList<T extends object>(query: ReturnType<typeof listQuery<T>>, id: (item: T) => string): List<T> {
  const read = useInfiniteQuery(query);
  const { data, isError, isRefetching, refetch, isFetchingNextPage } = read;
  const all = data?.pages.flatMap((page) => page.items);
  return {
    items: all && [...new Map(all.map((item) => [id(item), item])).values()],
    failed: isError && !data,
    stale: read.isRefetchError,
    refreshing: isRefetching && !isFetchingNextPage,
    refresh: () => void refetch(),
    more: moreOf(read),
  };
}

type Paged = Pick<ReturnType<typeof useInfiniteQuery>, "hasNextPage" | "isFetchingNextPage" | "isFetchNextPageError"> & { fetchNextPage: () => Promise<unknown> };

/** The next page of what is read page by page; null where there is none. */
export const moreOf = ({ hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage }: Paged): More | null =>
  hasNextPage ? { load: () => void fetchNextPage(), loading: isFetchingNextPage, failed: isFetchNextPageError && !isFetchingNextPage } : null;
