/**
 * What a datamart knows of a person where it was told nothing else: the activity model (field guide, section 3) in
 * GraphQL's schema language, with the names clients of the field use.
 */
export const DEFAULT_SCHEMA = `type UserPoint {
	id: ID!
	creation_ts: Timestamp!
	emails: [UserEmail!]!
	accounts: [UserAccount!]!
	agents: [UserAgent!]!
	profiles: [UserProfile!]!
	segments: [UserSegment!]!
	activities: [UserActivity!]!
	activity_events: [ActivityEvent!]!
}

type UserEmail {
	email: String
	hash: String
	creation_ts: Timestamp
}

type UserAccount {
	user_account_id: String
	compartment_id: String
	creation_ts: Timestamp
}

type UserAgent {
	user_agent_id: String
	user_agent_info: UserAgentInfo
	creation_ts: Timestamp
}

type UserAgentInfo {
	form_factor: String
	os_family: String
	browser_family: String
	brand: String
	model: String
	carrier: String
}

type UserProfile {
	compartment_id: String
	user_account_id: String
	gender: String
	birth_date: Date
	age: Int
	email: String
	language: String
	country: String
	region: String
	city: String
	zip_code: String
	job: String
	interests: [String!]
	last_modified_ts: Timestamp
}

type UserSegment {
	segment_id: String
	data_bag: String
	creation_ts: Timestamp
	expiration_ts: Timestamp
}

type UserActivity {
	id: ID
	ts: Timestamp
	type: String
	source: String
	session_status: String
	session_duration: Int
	channel_id: String
	site_id: String
	app_id: String
	topics: [String!]
	origin: ActivityOrigin
	location: ActivityLocation
	user_agent_info: UserAgentInfo
	events: [ActivityEvent!]!
}

type ActivityOrigin {
	source: String
	channel: String
	campaign_id: String
	campaign_name: String
	campaign_technical_name: String
	sub_campaign_id: String
	sub_campaign_technical_name: String
	message_id: String
	message_technical_name: String
	keywords: String
	creative_id: String
	creative_name: String
	creative_technical_name: String
	social_network: String
	referral_path: String
}

type ActivityLocation {
	source: String
	country: String
	region: String
	iso_region: String
	city: String
	iso_city: String
	zip_code: String
}

type ActivityEvent {
	id: ID
	ts: Timestamp
	name: String
	url: String
	referrer: String
	page: Page
	item: Item
	items: [Item!]
	brand: String
	category1: String
	category2: String
	category3: String
	category4: String
	product_id: String
	order_id: String
	amount: Float
	currency: String
	goal_id: String
	conversion_id: String
}

type Page {
	page_name: String
	title: String
	url: String
	category: String
	type: String
}

type Item {
	id: String
	product_id: String
	name: String
	brand: String
	category1: String
	category2: String
	category3: String
	category4: String
	price: Float
	qty: Int
}
`;
