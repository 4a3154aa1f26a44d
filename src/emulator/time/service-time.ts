/** A moment as the service writes it: ISO 8601 with the UTC offset (contract, version_cdate). */
export const serviceTime = (ms: number): string => new Date(ms).toISOString().replace('Z', '+00:00')
