import { createHmac } from 'node:crypto'

/** The signature (contract, Authentication 2), implemented here independently of Galley's own code. */
export const signatureOf = (secret: string, materialId: string, url: string): string =>
  createHmac('sha256', secret).update(`${materialId}:${url}`, 'utf8').digest('hex')
