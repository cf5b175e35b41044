//! English templates and the values of their fields.

use super::{TemplateKind, TemplateLanguage};

pub const LANGUAGE: TemplateLanguage = TemplateLanguage {
    code: "en",
    counts_characters: false,
    sentence_words: [8, 14],
    sentence_end: ".",
    greetings: &[
        "Hello everyone.",
        "Good morning, dear readers.",
        "Hi all! Hope you are well.",
        "Thanks for reading.",
        "Have a lovely day. See you soon!",
        "Found this today.",
        "Welcome back to my blog, friends.",
        "Sharing this for anyone interested.",
        "Take care, everybody. Bye for now.",
        "Kind regards from our team.",
        "Hello and welcome! I hope you all had a good week.",
        "That is all for today. Thank you for stopping by, see you tomorrow!",
    ],
    pools: POOLS,
    kinds: KINDS,
};

const KINDS: &[TemplateKind] = &[
    TemplateKind {
        name: "weather report",
        before: "Your local forecast, updated daily.",
        body: "Weather for {city} on {weekday}, {date}. Expect {sky} in the morning, turning to {sky} by \
               the afternoon, with {sky} after dark. Temperatures will reach a high of {#14-34} degrees and \
               fall to a low of {#1-13} degrees overnight. Winds will blow from the {direction} at {#5-60} \
               kilometres per hour, and the chance of rain is {#5-95} percent. Humidity will be around \
               {#30-99} percent. The sun rises at {#5-7}:{#00-59} and sets at {#17-21}:{#00-59}. Drivers \
               near {city} should watch out for {hazard}. The outlook for the following day is {sky}, with \
               temperatures of up to {#8-35} degrees.",
        after: "Forecasts are issued four times a day and may change at short notice. For warnings in \
                force, see the warnings page.",
    },
    TemplateKind {
        name: "football result",
        before: "",
        body: "{team@home} {#1-5}, {team@away} {#0-4}. {person} opened the scoring for {team@home} in \
               minute {#3-25} with {goal}, after a pass from {person}. {team@away} answered through \
               {person} with {goal} that gave goalkeeper {person} no chance. The decisive moment came in \
               minute {#60-89} when {person} scored with {goal}. Referee {person} showed {#2-9} yellow \
               cards in front of {#8,000-72,000} spectators. Coach {person} praised {#2-9} substitutes. \
               {team@home} now stand in place {#1-18} of the table with {#8-70} points and travel to {team} \
               next {weekday}.",
        after: "",
    },
    TemplateKind {
        name: "product page",
        before: "Free delivery on all orders.",
        body: "{brand} {product@p}, model {letters}{#100-999}. The {product@p} comes in {colour} and is \
               made of {material}. It measures {#10-90} by {#10-90} by {#5-60} centimetres and weighs \
               {#1.1-19.9} kilograms. In the box you will find the {product@p}, {accessory} and \
               {accessory}, together with a printed manual in six languages. Customers rate it {#3.0-4.9} \
               out of five stars, based on {#12-990} reviews. From the notes of the designer: {text} The \
               price is {#19-899} dollars including tax. This item is in stock and ships within {#2-9} \
               working days from our warehouse in {city}. The manufacturer's warranty lasts {#12-60} months \
               from the date of purchase and covers defects in materials and workmanship.",
        after: "You can return any item within thirty days of delivery. Items must be unused and in their \
                original packaging.",
    },
    TemplateKind {
        name: "court decision",
        before: "",
        body: "In the {court} of {city}. Case number {#1000-9999}/{#2009-2024}. Between {person}, claimant, \
               and {company}, defendant. Before Judge {person}, sitting with Judge {person} and Judge \
               {person}. Hearing held on {date}; judgment handed down on {date}. The claimant was \
               represented by {person} and the defendant by {person}. The proceedings concern {dispute}. \
               The claimant seeks payment of {#12,000-980,000} pounds together with interest at the \
               statutory rate from the date of service of the claim until payment in full. The defendant \
               asks the court to dismiss the claim and to order the claimant to bear the costs. Having \
               heard the parties and considered the written evidence, the court decides as follows: \
               {ruling}. The costs of the proceedings are assessed at {#1,200-48,000} pounds. Permission to \
               appeal is refused.",
        after: "",
    },
    TemplateKind {
        name: "recipe",
        before: "Another simple supper from our kitchen.",
        body: "{dish} with {ingredient@x}. Serves {#2-8}, ready in {#20-95} minutes. You will need \
               {#150-900} grams of {ingredient@y}, {#50-450} grams of {ingredient@x}, {#2-5} tablespoons of \
               {fat@f}, one handful of {herb@h} and a pinch of {spice@s}. Chop the {ingredient@y} into \
               small pieces. Heat the {fat@f} in a heavy pan and add the {ingredient@y}. Cook over medium \
               heat for {#4-18} minutes, stirring now and then, until {doneness}. Add the {ingredient@x} \
               and the {spice@s}, cover the pan and simmer for another {#10-55} minutes. Taste, season with \
               salt, and scatter the {herb@h} over the top. Serve the dish hot with {side}. Leftovers keep \
               in the fridge for {#2-5} days.",
        after: "If you cook this recipe, leave a comment below and tell us how it went. Our weekly letter \
                brings you three new recipes every Friday.",
    },
    TemplateKind {
        name: "obituary",
        before: "",
        body: "It is with great sadness that the family announces the death of {given@g} {family@f}, who \
               passed away peacefully on {date} in {city} at the age of {#58-101}. Born in {city} as the \
               child of {given} and {given} {family@f}, {given@g} worked for {#11-44} years as a \
               {profession} and will be remembered for {virtue} and for a lifelong love of {hobby}. \
               {given@g} is survived by {given}, {given} and {given}, and by {#2-14} grandchildren. A \
               passage that was always kept close at hand reads: {text} The funeral service will be held at \
               {church} on {weekday}, {date}, at {#9-15} o'clock. Donations may be made to {charity}.",
        after: "",
    },
    TemplateKind {
        name: "job posting",
        before: "Join a growing team!",
        body: "{company} is looking for a {profession} to join its office in {city}, starting in {month} \
               {#2019-2026}. In this role you will be responsible for {duty} and for {duty}. You report \
               directly to {person}, head of the unit. We expect a completed degree or comparable training, \
               at least {#2-9} years of professional experience, good knowledge of {skill}. We offer a \
               permanent contract, flexible working hours, {#24-34} days of paid leave a year, a company \
               pension and regular training. The annual salary is between {#28,000-54,000} and \
               {#55,000-98,000} euros, depending on experience. Please send your application with a letter, \
               a curriculum vitae and copies of your certificates in a single file by {date}, quoting \
               reference {letters}{#100-999}.",
        after: "We welcome applications from all qualified people regardless of age, sex, origin, religion \
                or disability.",
    },
    TemplateKind {
        name: "property listing",
        before: "",
        body: "{dwelling} for sale in {street}, {city}. Asking price: {#145,000-995,000} pounds. Built in \
               {#1890-2022}, this property offers {#55-290} square metres of living space with {#2-6} \
               bedrooms and {#1-4} bathrooms. The kitchen was renewed in {#1998-2024} and has {kitchen}. \
               The living room features {interior} and {interior}. Outside there is {outside} and parking \
               for {#1-4} cars. The property is heated by {heating} and has an energy rating of {rating}. \
               The nearest station is {#2-25} minutes away on foot, and {amenity} can be found close by. \
               Council tax band {rating}. Viewing is strictly by appointment only. Please call our agent \
               {person} on 0{#20-99} {#1000-9999} {#1000-9999}. These particulars are believed to be \
               correct but do not form part of any offer or contract, and buyers should satisfy themselves \
               by inspection.",
        after: "",
    },
    TemplateKind {
        name: "event announcement",
        before: "",
        body: "{event}: {topic}. On {weekday}, {date}, {venue} in {city} opens its doors at \
               {#17-20}:{#00-59} for an evening with {person@guest}, {profession} from {city}. \
               {person@guest} will speak about {topic} and afterwards talk with {person}, {profession}, and \
               with the audience. From the programme: {text} Music by {person} on the {instrument}. Tickets \
               cost {#8-45} dollars, or {#4-7} dollars for students, and can be booked online or bought at \
               the door on the evening of the event. The hall holds {#60-900} people, so early booking is \
               recommended. The building is accessible by lift.",
        after: "",
    },
    TemplateKind {
        name: "market close",
        before: "",
        body: "Stocks closed {move} on {weekday}, {date}, as investors weighed {driver} and {driver}. The \
               leading index ended the day at {#11,000-39,000} points, a change of {#0.1-3.9} percent, \
               after trading between {#9,000-10,990} and {#39,100-41,000} points. {company} gained \
               {#2.0-9.9} percent to {#12-480} dollars after {news}, the largest gain of the session. \
               {company} lost {#2.0-9.9} percent to {#12-480} dollars following {news}. Turnover on the \
               exchange came to {#1.1-9.8} billion dollars. In the currency market the dollar traded at \
               {#101-158} yen, and the yield on ten-year government bonds stood at {#1.10-5.20} percent. \
               Oil was quoted at {#48-119} dollars a barrel and gold at {#1,210-2,690} dollars an ounce. \
               Analyst {person} of {company} said that the market would remain sensitive to news in the \
               coming days.",
        after: "",
    },
    TemplateKind {
        name: "quarterly figures",
        before: "",
        body: "{city}, {date}. {company@c} today published its figures for the {quarter} quarter. Revenue \
               came to {#120-990} million euros, compared with {#120-990} million euros in the same quarter \
               of the previous year. Operating profit was {#11-98} million euros, and the operating margin \
               was {#2.1-24.9} percent. Net income per share amounted to {#0.11-4.90} euros. Growth came \
               mainly from {segment} and from {segment}, while sales of {segment} declined. \"We are \
               pleased with the course of the quarter,\" said chief executive {person}. {text} At the end \
               of the quarter the company employed {#1,100-48,000} people. For the full year {company@c} \
               continues to expect revenue of {#1.1-4.9} billion euros. The complete report is available in \
               the investor section of the website. This release contains forward-looking statements that \
               are subject to risks and uncertainties.",
        after: "",
    },
    TemplateKind {
        name: "admission notice",
        before: "Please read this notice carefully.",
        body: "The University of {city} admits students to the degree programme in {subject} for the \
               academic year beginning in {month}. There are {#24-320} places. Applications are accepted \
               online only, from {date} until {date} at noon. Applicants must hold a school-leaving \
               certificate that gives them the right to study at a university, or an equivalent foreign \
               certificate. The written entrance examination takes place on {date} in {venue} and lasts \
               {#2-5} hours. Bring a valid identity card, your admission letter and a pen. The application \
               fee of {#25-140} dollars must be paid before the closing date and will not be refunded. \
               Results will be published on the website of the faculty on {date}. Questions may be sent to \
               the admissions office, attention of {person}.",
        after: "Only the official text of the admission regulations is binding. This page is a summary.",
    },
    TemplateKind {
        name: "release notes",
        before: "Release notes, stable channel.",
        body: "{software} {#2-9}.{#1-30}.{#1-9} was released on {date}. This release adds {feature} and \
               {feature}. It fixes a bug that caused {symptom} when {condition}, reported by {person}, and \
               another that led to {symptom} when {condition}. {component} is now {#2-9} times as fast on \
               large inputs. The option {option} is deprecated and will be removed in a later version; use \
               {option} instead. A note from the maintainers: {text} Thanks to {person}, {person} and \
               {#3-60} other contributors. Users of earlier versions should make a backup before upgrading. \
               The upgrade runs without further steps unless you use custom plugins, which must be rebuilt.",
        after: "Packages for all supported systems are on the download page. Please report problems in the \
                issue tracker and include the output of the version command.",
    },
    TemplateKind {
        name: "train disruption",
        before: "Travel information for passengers.",
        body: "Because of {cause}, trains between {city} and {city@b} are disrupted until about \
               {#6-22}:{#00-59} on {weekday}, {date}. Trains on line {#2-89} may be cancelled, delayed by \
               up to {#15-95} minutes or diverted. Replacement buses run every {#10-45} minutes and call at \
               all stations between {city} and {city@b}. They leave from {stop}. Onward trains to {city}, \
               {city} and {city} will not wait. Passengers are advised to check their connection shortly \
               before departure. Tickets that were bought for cancelled trains remain valid on all later \
               trains of the same day. Passengers who arrive more than one hour late at their destination \
               may claim compensation at the ticket office or online.",
        after: "We apologise for the inconvenience. Current times are shown on the displays.",
    },
];

const POOLS: &[(&str, &str)] = &[
    ("person", "{given} {family}"),
    ("date", "{month} {#1-28}, {#2009-2025}"),
    (
        "given",
        "Alice|Brian|Carol|Derek|Ellen|Frank|Grace|Howard|Irene|Jacob|Karen|Leonard|Maria|Nathan|Olivia|\
         Patrick|Rachel|Simon|Teresa|Victor|Wendy|Abigail|Boris|Clara|Dominic|Esther|Felix|Gloria|Hugo|\
         Ingrid|Jonas|Kirsten|Lionel|Miriam|Norman|Paula|Quentin|Rosalind|Samuel|Tamara|Ursula|Vincent|\
         Winston|Yvonne|Zachary|Amara|Bilal",
    ),
    (
        "family",
        "Abbott|Barlow|Calloway|Dempsey|Eastwood|Fairchild|Gallagher|Hargreaves|Ibrahim|Jennings|Kowalski|\
         Lindqvist|Mercer|Nakamura|Okafor|Pemberton|Quigley|Rosenthal|Sandoval|Thackeray|Underwood|Vasquez|\
         Whitaker|Yamada|Zielinski|Ashworth|Bergstrom|Castellano|Donnelly|Ellsworth|Farrow|Goldberg|\
         Holloway|Irving|Jankowski|Kaplan|Lombardi|McAllister|Novak|Ogilvie|Prescott|Ramirez|Sinclair|\
         Tremblay|Vaughan|Winslow",
    ),
    (
        "city",
        "Bristol|Leeds|Norwich|Dundee|Swansea|Galway|Portland|Tucson|Boise|Duluth|Savannah|Richmond|\
         Halifax|Calgary|Hobart|Perth|Auckland|Dunedin|Durban|Cardiff|Exeter|Lincoln|Plymouth|Sheffield|\
         Aberdeen|Inverness|Limerick|Cork|Memphis|Omaha|Spokane|Tulsa|Wichita|Fresno|Albany|Rochester|\
         Winnipeg|Regina|Adelaide|Brisbane",
    ),
    ("month", "January|February|March|April|May|June|July|August|September|October|November|December"),
    ("weekday", "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"),
    ("direction", "north|south|east|west|northeast|northwest|southeast|southwest"),
    ("letters", "AK-|BX-|CT-|DV-|EM-|FS-|GL-|HP-|JR-|KW-|LN-|MQ-|NZ-|PT-|RX-|SB-|TC-|UV-|WD-|XG-"),
    ("rating", "A|B|C|D|E|F|G"),
    ("quarter", "first|second|third|fourth"),
    (
        "sky",
        "clear skies|dense fog|light drizzle|heavy showers|sunny spells|scattered thunderstorms|\
         freezing rain|wet snow|hazy sunshine|thick cloud|gusty squalls|hail|patchy mist|steady rain|\
         snow flurries|broken cloud|sleet|brilliant sunshine|ground frost|blowing dust",
    ),
    (
        "hazard",
        "black ice|fallen branches|standing water|poor visibility|strong crosswinds|drifting snow|\
         flooded underpasses|slippery leaves|low sun|loose gravel|mudslides|melting tarmac|\
         smoke from wildfires|deer crossing|rock falls|sudden gusts|aquaplaning|icy bridges|dust clouds|\
         damaged signs",
    ),
    (
        "team",
        "Rovers|Wanderers|Athletic|Albion|Harriers|Corinthians|Lions|Mariners|Foresters|Rangers|Swifts|\
         Falcons|Borough|Academicals|Thistle|Dynamos|Hotspurs|Villans|Saints|Hornets|Magpies|Clarets|\
         Canaries|Potters|Millers|Colliers",
    ),
    (
        "goal",
        "a diving header|a curling free kick|a low drive|a cheeky chip|an overhead kick|\
         a coolly taken penalty|a deflected volley|a solo run|a close-range tap-in|\
         a thunderous half-volley|a looping lob|a swerving corner|a backheel|a rebound off the post|\
         a long-range rocket|a toe-poke|a glancing touch|a stooping nod|a first-time finish|\
         an audacious bicycle kick",
    ),
    (
        "brand",
        "Nordlys|Haverford|Kestrel|Tamarind|Brightwell|Osprey|Calderon|Vantage|Meridian|Larkspur|Solveig|\
         Ironbark|Juniper|Cobalt|Fernhill|Pelican|Quarry|Redwood|Stellan|Umber",
    ),
    (
        "product",
        "kettle|desk lamp|backpack|blender|office chair|toaster|humidifier|suitcase|bookshelf|\
         vacuum cleaner|tent|espresso machine|air purifier|sewing machine|bird feeder|electric drill|\
         record player|shoe rack|fan heater|rice cooker|picnic basket|wheelbarrow",
    ),
    (
        "colour",
        "slate grey|moss green|ivory|burgundy|navy|mustard|charcoal|turquoise|coral|lavender|sand|crimson|\
         teal|copper|olive|pearl|indigo|terracotta|mint|plum",
    ),
    (
        "material",
        "brushed steel|solid oak|recycled plastic|waxed canvas|cast aluminium|bamboo|tempered glass|\
         vegetable-tanned leather|birch plywood|stoneware|powder-coated iron|felted wool|cork|carbon fibre|\
         walnut veneer|ripstop nylon|rattan|anodised titanium|silicone|enamelled sheet",
    ),
    (
        "accessory",
        "a carrying strap|two spare filters|a cleaning brush|an adapter|a wall bracket|a measuring cup|\
         a dust cover|three nozzles|a remote control|a storage bag|a set of screws|an extension cable|\
         a recipe booklet|a rain hood|a charging dock|replacement bulbs|a key|a descaling kit|\
         four rubber feet|a polishing cloth",
    ),
    (
        "court",
        "High Court|Commercial Court|District Court|Court of Session|County Court|Circuit Court|\
         Superior Court|Labour Tribunal|Chancery Division|Admiralty Court|Land Tribunal|Magistrates' Court|\
         Patents Court|Court of Appeal|Family Division|Sheriff Court|Tax Chamber|Probate Registry|\
         Maritime Tribunal|Supreme Court",
    ),
    (
        "company",
        "Ardmore Shipping|Beacon Foods|Cordell Energy|Delphine Textiles|Elmwood Insurance|Fortuna Mining|\
         Granite Telecom|Harbour Logistics|Inverley Pharma|Jasper Motors|Kingsway Retail|Lodestar Software|\
         Montrose Steel|Northgate Bank|Orchard Dairies|Paragon Airlines|Quillon Paper|Ravenna Optics|\
         Silverline Rail|Tidewater Chemicals|Unison Semiconductors|Verity Publishing|Westbrook Cement|\
         Yarrow Cosmetics|Zenith Robotics",
    ),
    (
        "dispute",
        "the late delivery of turbine parts|an unpaid invoice for roofing work|the termination of a lease|\
         a defective shipment of grain|the infringement of a patent for valves|a collision in the harbour|\
         an unfair dismissal|the ownership of a boundary wall|a misleading prospectus|\
         the breach of a franchise agreement|damage to stored furniture|an insurance claim after a fire|\
         the sale of a racehorse|unpaid royalties for a novel|a disputed will|noise from a wind farm|\
         leaked customer records|the recall of faulty brakes|a cancelled concert tour|\
         contaminated building land",
    ),
    (
        "ruling",
        "the claim is dismissed in full|the claim succeeds in part and is otherwise dismissed|\
         judgment is entered against the defendant|the matter is remitted for a new hearing|\
         the proceedings are stayed pending arbitration|the contract is rescinded|an injunction is granted|\
         the counterclaim is upheld|damages are to be assessed by an expert|\
         the settlement is declared binding|the claim is struck out as time-barred|\
         the defendant must disclose its accounts|the seizure is lifted|the lease is declared void|\
         liability is apportioned equally|the award is set aside|\
         the appeal against the interim order fails|specific performance is ordered|\
         the estate is to be divided|the trade mark is revoked",
    ),
    (
        "dish",
        "Country stew|Skillet supper|Winter soup|Summer ragout|Harvest bake|Baked rice|Braised hotpot|\
         Spiced pilaf|Rustic casserole|Creamy chowder|Golden hash|Peppery curry|Smoky chilli|Quick gratin|\
         Farmhouse fricassee|Sunday tagine|Brothy noodles|Warm salad|Market risotto|Village goulash",
    ),
    (
        "ingredient",
        "chickpeas|cauliflower|salmon|pumpkin|lentils|mushrooms|chicken thighs|aubergines|leeks|prawns|\
         sweet potatoes|spinach|pork shoulder|barley|fennel|white beans|lamb|courgettes|beetroot|tofu|cod|\
         parsnips|turkey|artichokes|carrots|mussels|kale|beef|peas|celeriac",
    ),
    (
        "fat",
        "olive oil|butter|sesame oil|lard|rapeseed oil|ghee|coconut oil|sunflower oil|duck fat|walnut oil|\
         peanut oil|goose fat|avocado oil|margarine|hazelnut oil|grapeseed oil|bacon dripping|mustard oil|\
         corn oil|chilli oil",
    ),
    (
        "herb",
        "parsley|coriander|dill|basil|chives|mint|tarragon|oregano|thyme|chervil|sage|rosemary|marjoram|\
         sorrel|lovage|watercress|savory|borage|nettles|spring onions",
    ),
    (
        "spice",
        "cumin|paprika|nutmeg|turmeric|saffron|cinnamon|cardamom|caraway|allspice|sumac|cloves|ginger|\
         aniseed|mace|fenugreek|cayenne|juniper|mustard seed|star anise|za'atar",
    ),
    (
        "doneness",
        "the edges turn brown|a fork slides in easily|the liquid has evaporated|it smells nutty|\
         the skin blisters|it begins to stick|everything looks glossy|the juices run clear|it collapses|\
         a crust forms|it turns opaque|the colour deepens|steam stops rising|the foam subsides|\
         it feels firm|bubbles appear|it softens|the pieces float|it flakes apart|it caramelises",
    ),
    (
        "side",
        "crusty bread|steamed rice|buttered noodles|a green salad|roast potatoes|flatbread|couscous|\
         polenta|dumplings|pickled cucumbers|plain yoghurt|corn tortillas|mashed swede|coleslaw|\
         bulgur wheat|garlic toast|fried plantain|rye crackers|apple sauce|quinoa",
    ),
    (
        "profession",
        "bookkeeper|civil engineer|nurse|violin maker|software developer|schoolteacher|surveyor|pharmacist|\
         carpenter|marine biologist|translator|bus driver|veterinarian|plumber|historian|pastry chef|\
         meteorologist|librarian|welder|judge|photographer|midwife|locksmith|geologist|tax adviser|botanist",
    ),
    (
        "virtue",
        "dry humour|endless patience|generosity|quiet courage|honesty|warm hospitality|sharp wit|\
         steady calm|modesty|boundless curiosity|stubborn optimism|kindness to strangers|good advice|\
         loyalty|hearty laughter|tact|unfailing punctuality|gentle teasing|a wonderful singing voice|\
         tireless energy",
    ),
    (
        "hobby",
        "beekeeping|sailing|crossword puzzles|choral music|mountain walking|quilting|chess|birdwatching|\
         old motorcycles|rose gardening|fly fishing|watercolours|ballroom dancing|stamp collecting|\
         astronomy|local history|bridge|marathon running|pottery|detective novels",
    ),
    (
        "church",
        "St Mary's Church|the Methodist Chapel|Holy Trinity|the Friends' Meeting House|\
         St Andrew's Cathedral|Greenlawn Cemetery|the Abbey Church|Oakhill Crematorium|Christ the King|\
         the Old Synagogue|All Saints|Riverside Chapel|St Columba's|the Garden of Rest|Bethel Baptist|\
         St Jude's|Hillcrest Memorial Park|the Harbour Mission|Our Lady of Lourdes|\
         the Woodland Burial Ground",
    ),
    (
        "charity",
        "the lifeboat service|the children's hospice|the animal shelter|the heart foundation|the food bank|\
         the village library|the mountain rescue team|cancer research|the school band|the blind society|\
         the refugee council|the air ambulance|the wildlife trust|the stroke association|the night shelter|\
         the kidney fund|the literacy project|the scouts|the seamen's mission|the dementia centre",
    ),
    (
        "duty",
        "preparing monthly reports|maintaining our test systems|advising private clients|\
         planning delivery routes|training new staff|negotiating with suppliers|inspecting building sites|\
         editing technical manuals|managing the laboratory stock|organising trade fairs|\
         checking incoming invoices|answering customer complaints|designing packaging|\
         monitoring water quality|drafting contracts|supervising night shifts|translating brochures|\
         repairing measuring devices|evaluating survey data|coordinating volunteers",
    ),
    (
        "skill",
        "spreadsheets|employment law|Portuguese|structural analysis|relational databases|food hygiene|\
         accounting standards|network security|project planning|welding techniques|medical terminology|\
         customs procedures|web design|public procurement|statistics|Arabic|hydraulics|copywriting|\
         soil chemistry|radiation protection",
    ),
    (
        "dwelling",
        "Detached cottage|Terraced house|Penthouse flat|Converted barn|Semi-detached villa|\
         Garden apartment|Farmhouse|Loft apartment|Bungalow|Mews house|Houseboat|Former schoolhouse|\
         Corner townhouse|Maisonette|Lakeside chalet|Ground-floor studio|Gatehouse|Manor wing|Duplex|\
         Old mill",
    ),
    (
        "street",
        "Acacia Avenue|Mill Lane|Church Hill|Station Road|Victoria Terrace|Orchard Close|Harbour Street|\
         Elm Grove|Castle Walk|Priory Gardens|Market Square|Beech Drive|Kingfisher Way|Quarry Bank|\
         Bridge End|Spring Crescent|Canal Wharf|Tanner Row|Abbey Mews|Windmill Rise",
    ),
    (
        "kitchen",
        "a walk-in pantry|granite worktops|a gas range|a breakfast bar|handmade cabinets|a wine cooler|\
         an induction hob|underfloor lighting|a butler sink|two ovens|a view of the orchard|slate tiles|\
         a serving hatch|marble counters|a central island|a utility corner|a steam oven|maple units|\
         a bay window|a dumb waiter",
    ),
    (
        "interior",
        "an open fireplace|oak parquet|exposed beams|stucco ceilings|a wood-burning stove|\
         built-in bookcases|stained glass|sash windows|a gallery|a spiral staircase|panelled walls|\
         French doors|a reading nook|vaulted ceilings|terracotta floors|a skylight|original shutters|\
         brick arches|a picture window|double doors",
    ),
    (
        "outside",
        "a walled garden|a roof terrace|a south-facing patio|a heated pool|a small orchard|\
         a paved courtyard|a boathouse|a greenhouse|a balcony|two paddocks|a tennis court|a summer house|\
         a vegetable plot|a stream|a workshop|a rockery|a pergola|a stable block|a pond|a communal lawn",
    ),
    (
        "heating",
        "natural gas|a heat pump|wood pellets|district heating|oil|solar panels|night storage heaters|\
         a biomass boiler|geothermal energy|infrared panels|bottled gas|a back boiler|electric radiators|\
         underfloor pipes|coal|a shared boiler|fuel cells|a tiled stove|warm air|a log boiler",
    ),
    (
        "amenity",
        "a primary school|two supermarkets|a golf course|a health centre|the seafront|a farmers' market|\
         a swimming pool|a country park|a theatre|the hospital|a marina|a grammar school|a post office|\
         several cafes|riding stables|a nursery|the university|a cinema|tennis courts|a bakery",
    ),
    (
        "event",
        "Public lecture|Book launch|Panel discussion|Reading|Anniversary gala|Film night|Open studio|\
         Town meeting|Fireside chat|Poetry slam|Science cafe|Charity auction|Guided tour|Workshop|\
         Award ceremony|Alumni dinner|Premiere|Exhibition opening|Storytelling night|Debate",
    ),
    (
        "topic",
        "the hidden life of rivers|forgotten women composers|bread in wartime|the future of night trains|\
         maps that never were|how octopuses sleep|the lost canals|living with volcanoes|a history of glass|\
         the language of whales|cities without cars|medieval medicine|dark matter|the ethics of robots|\
         wild orchards|letters from the Arctic|the art of forgery|why we dream|salt and empire|\
         the return of wolves",
    ),
    (
        "venue",
        "the Corn Exchange|Queen's Hall|the Maltings|the Assembly Rooms|the Guildhall|the Lyceum|\
         the Botanical Institute|Harcourt Library|the Old Fire Station|the Planetarium|the Customs House|\
         Albert Pavilion|the Tramshed|the Natural History Museum|the Winter Gardens|Trinity Theatre|\
         the Granary|the Drill Hall|the Observatory|the Arts Centre",
    ),
    (
        "instrument",
        "piano|cello|accordion|harp|clarinet|trumpet|viola|lute|saxophone|flute|bassoon|guitar|marimba|\
         oboe|banjo|double bass|zither|organ|mandolin|French horn",
    ),
    (
        "move",
        "higher|lower|flat|mixed|sharply higher|sharply lower|slightly up|slightly down|at a record|\
         little changed",
    ),
    (
        "driver",
        "fresh inflation data|a surprise rate cut|falling oil prices|weak factory orders|\
         tensions in the strait|strong retail sales|a government shutdown|better jobs figures|\
         the collapse of a lender|new tariffs|a chip shortage|election results|rising wages|\
         a drought in the grain belt|a merger wave|the strong dollar|housing starts|a strike at the ports|\
         a credit downgrade|record exports",
    ),
    (
        "news",
        "an upbeat forecast|a profit warning|a takeover bid|the resignation of its chairman|\
         a large order from Asia|a product recall|a share buyback|a cyber attack|a patent victory|\
         an accounting inquiry|a dividend cut|a plant explosion|a drug approval|the loss of a key client|\
         a spin-off plan|an antitrust fine|a stake sale|a broker downgrade|a new licence|record bookings",
    ),
    (
        "segment",
        "industrial pumps|baby food|cloud services|diagnostic tests|commercial vehicles|garden tools|\
         aircraft seats|animal feed|power cables|contact lenses|frozen meals|printing inks|luxury watches|\
         railway signals|packaging film|hearing aids|crop protection|office furniture|mobile games|\
         roof tiles",
    ),
    (
        "subject",
        "Medicine|Architecture|Marine Engineering|Comparative Literature|Veterinary Science|Economics|\
         Dentistry|Physics|Social Work|Music Education|Law|Pharmacy|Computer Science|Midwifery|Forestry|\
         Archaeology|Psychology|Linguistics|Aerospace Engineering|Nutrition",
    ),
    (
        "software",
        "Tidepool|Gristmill|Lanternfish|Ropewalk|Quillpad|Bramble|Ferrous|Sundial|Copperfield|Nightjar|\
         Mapleleaf|Orrery|Pinwheel|Saltbox|Thimble|Waxwing|Yardarm|Zephyr|Hedgerow|Inkwell",
    ),
    (
        "feature",
        "dark mode|offline search|incremental backups|two-factor login|a command palette|vector tiles|\
         nested folders|streaming uploads|spell checking in Finnish|a plugin sandbox|keyboard macros|\
         encrypted notes|calendar import|live collaboration|colour profiles|batch renaming|voice input|\
         an audit log|split windows|scheduled exports",
    ),
    (
        "symptom",
        "a crash|lost attachments|garbled text|duplicate entries|a memory leak|blank pages|wrong totals|\
         endless spinning|missing thumbnails|a frozen cursor|stale results|corrupted archives|\
         flickering menus|broken links|a deadlock|slow scrolling|truncated names|silent failures|\
         a black screen|swapped columns",
    ),
    (
        "condition",
        "the disk was full|a file name held emoji|two users saved at once|the clock moved backwards|\
         the proxy timed out|the window was resized|a table had no rows|the laptop woke from sleep|\
         the password expired|printing to a file|the cache was disabled|dragging between monitors|\
         a certificate was renewed|the locale was Turkish|importing old projects|the network was metered|\
         a symlink pointed nowhere|undoing a merge|the queue was empty|scanning removable drives",
    ),
    (
        "component",
        "The indexer|The renderer|Full-text search|The importer|Log rotation|The scheduler|Image scaling|\
         Syntax colouring|The sync engine|The parser|Report generation|The query planner|Compression|\
         The linker|Tag completion|The installer|Graph layout|The validator|Thumbnail creation|\
         The diff view",
    ),
    (
        "option",
        "--legacy-auth|--fast-scan|--no-cache|--strict|--max-depth|--follow-links|--raw-output|\
         --quiet-errors|--utc|--shared-lock|--preload|--keep-temp|--compact|--trace-io|--ignore-case|\
         --dry-run|--merge-tags|--force-sync|--old-format|--skip-hooks",
    ),
    (
        "stop",
        "the north car park|platform nine|the taxi rank|Castle Street|the old goods yard|the cinema|\
         the river bridge|the post office|the rear exit|bay twelve|the town hall|the fire station|\
         the market cross|the school gates|the brewery|the hospital stop|Mill Lane|the roundabout|\
         the tram depot|the east underpass",
    ),
    (
        "cause",
        "a signal failure|a fallen tree|flooding|a broken rail|staff illness|a power cut|a landslide|\
         track renewal|a damaged bridge|an emergency call-out|heavy snowfall|a derailed freight wagon|\
         a strike|a bomb disposal|overhead line damage|a level crossing accident|vandalism|\
         a fire near the line|extreme heat|stray cattle",
    ),
];
