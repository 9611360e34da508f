import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

/** A part of the page that is read after it, so that what is seen first is there first. */
export function later<P extends object>(
  load: () => Promise<ComponentType<P>>,
  words = "Loading …",
): ComponentType<P> & { read(): void } {
  let part: Promise<ComponentType<P>> | undefined;
  const read = () => (part ??= load());
  const Later = (props: P) => {
    const [found, setFound] = useState<{ Part?: ComponentType<P>; isGone?: true }>({});
    useEffect(() => {
      // Another version of Parley has other files.
      const failed = () => ((part = undefined), setFound({ isGone: true }));
      void read().then((Part) => setFound({ Part }), failed);
    }, []);
    const { Part, isGone } = found;
    if (Part) return <Part {...props} />;
    return <p class="none">{isGone ? "This could not be loaded. Reload the page." : words}</p>;
  };
  return Object.assign(Later, { read: () => void read().catch(() => (part = undefined)) });
}
