import { useEffect, useState } from 'react';

/** The value once it has not changed for a time: what was typed, when the typing pauses. */
export function usePause<Value>(value: Value, pauseMs: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return settled;
}
