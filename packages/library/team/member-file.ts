/** The file that makes a library folder a member of a team. */
export const memberFile = 'team.json'
