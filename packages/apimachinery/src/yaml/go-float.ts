/** A number that is no integer as Go's `%g` writes the shortest text that is read back as the same float of that size. */
export function goFloat(value: number, bits: 32 | 64): string {
  const [mantissa = "", power = "0"] = shortest(value, bits).split("e");
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return plain(mantissa, exponent);
  const digits = Math.abs(exponent).toString().padStart(2, "0");
  return `${mantissa}e${exponent < 0 ? "-" : "+"}${digits}`;
}

function shortest(value: number, bits: 32 | 64): string {
  if (bits === 64) return value.toExponential();
  const target = Math.fround(value);
  for (let digits = 0; digits < 9; digits++) {
    const text = target.toExponential(digits);
    if (Math.fround(Number(text)) === target) return text;
  }
  return target.toExponential();
}

function plain(mantissa: string, exponent: number): string {
  const sign = mantissa.startsWith("-") ? "-" : "";
  const digits = mantissa.replace(/[-.]/g, "");
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  const rest = digits.slice(exponent + 1);
  return rest === "" ? sign + whole : `${sign}${whole}.${rest}`;
}
