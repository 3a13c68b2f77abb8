/** Compiled, this file stands in dist/src/lib. */
const ROOT = new URL('../../../', import.meta.url);

/** What is read as it lies in the project (`sql/` ...), by its path from the root. */
export function projectFile(path: string): URL {
	return new URL(path, ROOT);
}
