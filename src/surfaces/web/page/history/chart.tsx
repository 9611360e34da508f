import { useMemo } from "preact/hooks";
import { duration } from "../../../../core/words/time.ts";
import type { AskView } from "../../../../protocol/view.ts";
import { type Day, numbersOf } from "./history-numbers.ts";

const DAYS = 14;
const HEIGHT = 56;
const STEP = 20;
const BAR = 12;

/** Asks per day, those that are open too, and four numbers about the others. */
export function Chart({ asks }: { asks: readonly AskView[] }) {
  const today = new Date().setHours(0, 0, 0, 0);
  const { days, medianWaitMs, people, policy, other } = useMemo(() => numbersOf(asks, today, DAYS), [asks, today]);
  const decided = people + policy;
  const share = (count: number) => (decided === 0 ? "–" : `${Math.round((count / decided) * 100)} %`);
  const most = Math.max(1, ...days.map(total));
  const words = days.map((day) => `${dayName(day)} ${total(day)}`).join(", ");
  return (
    <div class="numbers">
      <svg viewBox={`0 0 ${DAYS * STEP} ${HEIGHT + 14}`} role="img" aria-label={`Questions per day: ${words}`}>
        {days.map((day, i) => (
          <g transform={`translate(${i * STEP + (STEP - BAR) / 2} 0)`}>
            <title>{`${dayName(day)}: ${total(day)}`}</title>
            <Bar count={total(day)} most={most} part="rest" />
            <Bar count={day.people + day.policy} most={most} part="policy" />
            <Bar count={day.people} most={most} part="people" />
            <text x={BAR / 2} y={HEIGHT + 11}>
              {new Date(day.at).getDate()}
            </text>
          </g>
        ))}
      </svg>
      <dl>
        <div>
          <dt>Settled</dt>
          <dd>{decided + other}</dd>
        </div>
        <div>
          <dt>Median wait</dt>
          <dd>{medianWaitMs === undefined ? "–" : duration(medianWaitMs)}</dd>
        </div>
        <div data-part="people">
          <dt>By people</dt>
          <dd>{share(people)}</dd>
        </div>
        <div data-part="policy">
          <dt>By policy</dt>
          <dd>{share(policy)}</dd>
        </div>
      </dl>
    </div>
  );
}

function Bar({ count, most, part }: { count: number; most: number; part: string }) {
  const height = count === 0 ? 0 : Math.max(2, (count / most) * HEIGHT);
  return <rect class={part} y={HEIGHT - height} width={BAR} height={height} rx={2} />;
}

const total = ({ people, policy, other, open }: Day) => people + policy + other + open;
const dayName = ({ at }: Day) => new Date(at).toLocaleDateString([], { day: "numeric", month: "short" });
