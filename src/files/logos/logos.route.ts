import {ok, RawAnswer} from '../../http/envelope.ts';
import {type Route, type RouteRequest, route} from '../../http/route.ts';
import {FORM_BYTES, uploadOf} from '../../http/upload.ts';
import {DataFileOnWire, dataFileToWire} from '../data-files/data-files.schema.ts';
import {type DataFiles, putUpload} from '../data-files/data-files.ts';
import {logoFiles, placeOfLogo} from './logos.ts';

type Asked = Pick<RouteRequest<unknown, unknown>, 'params'>;

/** The picture of an organisation (field guide, "Authentication, users"). */
export function logoRoutes({dataFiles}: {readonly dataFiles: DataFiles}): Route[] {
	const path = '/v1/organisations/:organisationId/logo';
	const placeOf = ({params}: Asked) => placeOfLogo(Number(params.organisationId));
	return [
		route({
			method: 'GET',
			path,
			summary: 'The logo of an organisation, a PNG image',
			action: 'organisations:read',
			answer: 'bytes',
			errors: ['data_file_not_found', 'store_unavailable'],
			async handle(request) {
				const {file, content} = await dataFiles.open(placeOf(request));
				return new RawAnswer(content, 'image/png', {etag: file.sha256, length: file.bytes});
			},
		}),
		route({
			method: 'PUT',
			path,
			summary: 'Store the logo of an organisation: a form with a PNG image, or the image itself',
			action: 'organisations:write',
			audit: 'data_file_stored',
			body: 'stream',
			maxBodyBytes: logoFiles.maxBytes + FORM_BYTES,
			answer: DataFileOnWire,
			errors: ['store_unavailable'],
			async handle(request) {
				const {name, content} = await uploadOf(request.headers, request.stream);
				const about = {name, contentType: 'image/png', content};
				const data = dataFileToWire(await putUpload(dataFiles, placeOf(request), logoFiles, about));
				request.trail.resourceId = data.uri;
				return ok(data);
			},
		}),
	];
}
