import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

/** A view whose code is fetched when it is first opened: who only answers questions never waits for it. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let known: ComponentType<Props> | undefined;
  return function Later(props: Props) {
    const [View, setView] = useState(() => known);
    const [isLost, setLost] = useState(false);
    useEffect(() => {
      if (known) return;
      load().then(
        (found) => setView(() => (known = found)),
        () => setLost(true),
      );
    }, []);
    if (View) return <View {...props} />;
    return <p class="none">{isLost ? "This view could not be loaded: reload the page." : "Loading …"}</p>;
  };
}
