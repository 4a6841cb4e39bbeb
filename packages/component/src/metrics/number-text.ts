/** As Go's `g` format writes it, which is what scrapers of Kubernetes have always been given: 1e+06, 0.005, +Inf. */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e-4 && size < 1e6) return String(value);
  const [digits = "", exponent = "+0"] = value.toExponential().split("e");
  const power = exponent.slice(1);
  return `${digits}e${exponent[0]}${power.length < 2 ? `0${power}` : power}`;
}
