import { createHmac } from 'node:crypto'

/** The signature of the contract (Authentication 2), computed here from its text and nothing else. */
export const signatureOf = (secret: string, materialId: string, url: string): string =>
  createHmac('sha256', secret).update(`${materialId}:${url}`, 'utf8').digest('hex')
