/** Who the cases speak as when they do not speak as the administrator: `Authorization: Bearer ann-token`. Lines of a static token file. */
export const accessTokens = [
  'ann-token,ann,ann-uid,"dev"',
  "bob-token,bob,bob-uid",
  'node1-token,system:node:n1,node1-uid,"system:nodes"',
  "bot-token,system:serviceaccount:shop:bot,bot-uid",
  "",
].join("\n");
