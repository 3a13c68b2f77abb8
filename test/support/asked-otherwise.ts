import type {Warehouse, WarehouseQuery} from '../../src/warehouse/warehouse.ts';

type Statement = ReturnType<WarehouseQuery<unknown, unknown>['build']>;

/** Each question put as `statementOf` writes it, and not as it would be. */
export function askedOtherwise(
	warehouse: Warehouse,
	statementOf: <Input, Row>(query: WarehouseQuery<Input, Row>, input: Input) => Statement,
): Warehouse {
	return {
		...warehouse,
		read: (query, input, options) =>
			warehouse.read({...query, build: asked => statementOf(query, asked)}, input, options),
	};
}

/** With settings that the embedded engine takes in the statement alone. */
export function withSettings(
	warehouse: Warehouse,
	settings: Readonly<Record<string, number | string>>,
): Warehouse {
	const list = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
	return askedOtherwise(warehouse, (query, input) => {
		const {text, params} = query.build(input);
		return {text: `${text}\nSETTINGS ${list.join(', ')}`, params};
	});
}
