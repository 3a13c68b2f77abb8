import {ok} from '../../http/envelope.ts';
import {type Route, type RouteRequest, route} from '../../http/route.ts';
import {parseId} from '../../lib/ids.ts';
import {type DocumentImportContext, getDocumentImport} from '../document-imports/document-imports.ts';
import {type ExecutionContext, getExecution} from '../document-imports/executions.ts';
import {ReceiptAnswer, ReceiptQuestion, verifiedToWire} from './deletion-receipts.schema.ts';
import {type DeletionReceiptContext, verifyReceipt} from './deletion-receipts.ts';

export interface DeletionReceiptServices
	extends DeletionReceiptContext,
		DocumentImportContext,
		Pick<ExecutionContext, 'jobs'> {}

type Asked = Pick<RouteRequest<unknown, unknown>, 'datamart' | 'params'>;

export function deletionReceiptRoutes(services: DeletionReceiptServices): Route[] {
	const executionOf = async ({datamart, params}: Asked) => {
		const documentImport = await getDocumentImport(
			services,
			datamart,
			parseId(params.documentImportId ?? ''),
		);
		return getExecution(services, documentImport, parseId(params.executionId ?? ''));
	};
	return [
		route({
			method: 'POST',
			path: '/v1/datamarts/:datamartId/document_imports/:documentImportId/executions/:executionId/receipt/verification',
			summary:
				'Whether a deletion was asked for an identifier, what became of it, and whether its receipt is genuine',
			action: 'deletion_receipts:verify',
			audit: 'deletion_receipt_verified',
			body: ReceiptQuestion,
			answer: ReceiptAnswer,
			errors: [
				'document_import_not_found',
				'job_execution_not_found',
				'deletion_receipt_missing',
				'compartment_unknown',
				'identifier_refused',
			],
			async handle(request) {
				return ok(verifiedToWire(await verifyReceipt(services, await executionOf(request), request.body)));
			},
		}),
	];
}
