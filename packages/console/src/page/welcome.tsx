/** What is seen without a session: how to get one. */
export function Welcome({ problem }: { readonly problem?: string }) {
  return (
    <main class="welcome">
      <h1>Coxswain console</h1>
      <p>{problem ?? "This page needs a link with a code, which works once and for five minutes."}</p>
      <p>
        Ask for a new one: <code>coxswain console</code>
      </p>
    </main>
  );
}
