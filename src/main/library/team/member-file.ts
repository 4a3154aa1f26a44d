/** Lies in the folder of a library that is a member of a team. */
export const memberFile = 'team.json'
