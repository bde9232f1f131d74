import { useEffect, useRef, useState } from "react";

/** Whether an element is near the screen, and whether it has been. */
export function useSeen<T extends Element>() {
  const ref = useRef<T>(null);
  const [near, setNear] = useState(() => !("IntersectionObserver" in window));
  const [seen, setSeen] = useState(near);

  useEffect(() => {
    if (!("IntersectionObserver" in window) || !ref.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        const isNear = entries[entries.length - 1]?.isIntersecting ?? false;
        setNear(isNear);
        if (isNear) setSeen(true);
      },
      { rootMargin: "200px" },
    );
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);

  return { ref, near, seen };
}
