const two = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, "0"));
let knownDay = Number.NaN;
let knownDate = "";

/** Seconds since 1970 of a canonical time text ("2006-01-02T15:04:05…Z"); what is behind the seconds is not read. */
export function secondsOfTime(text: string): number {
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 7);
  const day = digits(text, 8, 10);
  return (
    daysOf(year, month, day) * 86_400 + digits(text, 11, 13) * 3600 + digits(text, 14, 16) * 60 + digits(text, 17, 19)
  );
}

function digits(text: string, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) value = value * 10 + text.charCodeAt(at) - 0x30;
  return value;
}

/** Days since 1970 in the proleptic Gregorian calendar, with years that begin in March so that the leap day comes last. */
function daysOf(year: number, month: number, day: number): number {
  const shifted = month < 3 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const ofEra = shifted - era * 400;
  const ofYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return era * 146_097 + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - 719_468;
}

/** "2006-01-02T15:04:05". The date of the day asked for last is remembered: the times of an object are close together. */
export function timeOfSeconds(seconds: number): string {
  const day = Math.floor(seconds / 86_400);
  const rest = seconds - day * 86_400;
  if (day !== knownDay) {
    knownDate = dateOf(day);
    knownDay = day;
  }
  return `${knownDate}T${two[Math.floor(rest / 3600)]}:${two[Math.floor(rest / 60) % 60]}:${two[rest % 60]}`;
}

function dateOf(day: number): string {
  const text = new Date(day * 86_400_000).toISOString();
  return text.slice(0, text.indexOf("T"));
}
