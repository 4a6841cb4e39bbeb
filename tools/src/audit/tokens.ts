/** Who the audited cases speak as. Lines of a static token file. */
export const auditTokens = ['admin-token,admin,admin-uid,"system:masters"', 'ann-token,ann,ann-uid,"dev,ops"', ""].join(
  "\n",
);
