/** Resolves when every promise is settled that waits for nothing but other promises, as all of a fake bridge do. */
export const settled = (): Promise<void> => new Promise((done) => void setImmediate(done))
