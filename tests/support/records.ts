// Records of a site for the call that sets their fields.

export const materialsIn = (site: string, ...ids: readonly string[]) => ({
  record: 'material' as const,
  site,
  of: ids.map((materialId) => ({ materialId })),
})
export const versionIn = (site: string, materialId: string, versionId: string) => ({
  record: 'version' as const,
  site,
  of: [{ materialId, versionId }],
})
