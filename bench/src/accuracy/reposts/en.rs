//! English re-posts. Spelling is British unless the case is about spelling.

use super::{Expected, Repost};

/// English cases, one for each kind of re-post.
pub const CASES: &[Repost] = &[
    Repost {
        name: "comment in front",
        language: "en",
        original: r"We finally visited the new night market behind the old tram depot, and I am still thinking about the dumplings. The queue looked hopeless at seven, but it moved quickly because the two sisters who run the stall fold, steam and serve without ever stopping.

The pork ones are rich and a little sweet. The better choice is the mushroom and chive, which comes with black vinegar and a spoonful of chilli oil that tastes of orange peel. Eight pieces cost six pounds, and that is enough for one hungry adult.

Bring cash, because the card reader gave up twice while we were waiting. Sit on the loading ramp at the back, where the evening sun reaches the wall and you can hear the busker without having to shout over him.",
        second_original: None,
        repost: r"Sharing this because half of you keep asking me where to eat on Fridays. I have not been yet, but it sounds right!

We finally visited the new night market behind the old tram depot, and I am still thinking about the dumplings. The queue looked hopeless at seven, but it moved quickly because the two sisters who run the stall fold, steam and serve without ever stopping.

The pork ones are rich and a little sweet. The better choice is the mushroom and chive, which comes with black vinegar and a spoonful of chilli oil that tastes of orange peel. Eight pieces cost six pounds, and that is enough for one hungry adult.

Bring cash, because the card reader gave up twice while we were waiting. Sit on the loading ramp at the back, where the evening sun reaches the wall and you can hear the busker without having to shout over him.",
        expected: Expected::Duplicate,
    },
    // A short original, quoted whole.
    Repost {
        name: "source line at the end",
        language: "en",
        original: r"If your sourdough starter smells like nail varnish, it is not dead. It is hungry. Throw away all but one spoonful, feed it equal weights of flour and water twice a day, and keep it somewhere warm. By the third evening it will rise again.",
        second_original: None,
        repost: r"> If your sourdough starter smells like nail varnish, it is not dead. It is hungry. Throw away all but one spoonful, feed it equal weights of flour and water twice a day, and keep it somewhere warm. By the third evening it will rise again.

via The Patient Loaf, https://patientloaf.example.com/2023/hungry-starter",
        expected: Expected::Duplicate,
    },
    Repost {
        name: "paragraphs reordered",
        language: "en",
        original: r#"The county library will close its Elm Street branch in September after the roof was found to be unsafe, the council confirmed on Tuesday. Engineers inspected the building in March when water was dripping onto the children's shelves.

Repairs would cost about 1.4 million pounds, according to the survey, which is more than the county spends on all its branches in a year. "We looked at every option, including scaffolding the reading room and staying open," said the head of culture, Dana Whitlock.

About 40,000 books will be moved to the former bank on Market Square. The temporary branch is to open in October with shorter hours, and the homework club will meet in the primary school until then.

Residents have collected more than 3,000 signatures against the closure. They fear that the site, which lies next to the station, will be sold to a developer and that the temporary branch will become the permanent one."#,
        second_original: None,
        repost: r#"About 40,000 books will be moved to the former bank on Market Square. The temporary branch is to open in October with shorter hours, and the homework club will meet in the primary school until then.

The county library will close its Elm Street branch in September after the roof was found to be unsafe, the council confirmed on Tuesday. Engineers inspected the building in March when water was dripping onto the children's shelves.

Residents have collected more than 3,000 signatures against the closure. They fear that the site, which lies next to the station, will be sold to a developer and that the temporary branch will become the permanent one.

Repairs would cost about 1.4 million pounds, according to the survey, which is more than the county spends on all its branches in a year. "We looked at every option, including scaffolding the reading room and staying open," said the head of culture, Dana Whitlock."#,
        expected: Expected::Duplicate,
    },
    // First half of one original, second half of another.
    Repost {
        name: "merged from two",
        language: "en",
        original: r"Repotting an orchid frightens people more than it should. Wait until the flowers have dropped and new roots show green tips. Lift the plant out, shake off the old bark and cut away everything that is brown and soft. Healthy roots are firm and silver.

Choose a pot only a finger wider than the last one. Fill it with coarse fresh bark, press gently so that the plant stands without wobbling, and do not water for a week. The cuts need time to dry, and a thirsty orchid grows new roots faster than a wet one.",
        second_original: Some(r"Most houseplants die of kindness in winter. When the days are short the leaves drink less, yet we keep the watering can on the same timetable as in July. Push a finger into the soil up to the second joint, and put the can away if it feels cool.

Dry air is the other enemy. Group the pots together, stand them on a tray of wet pebbles, and keep them off the radiator shelf. Misting looks caring but helps for ten minutes at best. Yellow leaves low on the stem are normal; yellow leaves at the top are a cry for light."),
        repost: r"Repotting an orchid frightens people more than it should. Wait until the flowers have dropped and new roots show green tips. Lift the plant out, shake off the old bark and cut away everything that is brown and soft. Healthy roots are firm and silver.

Dry air is the other enemy. Group the pots together, stand them on a tray of wet pebbles, and keep them off the radiator shelf. Misting looks caring but helps for ten minutes at best. Yellow leaves low on the stem are normal; yellow leaves at the top are a cry for light.",
        expected: Expected::SourceNamed,
    },
    Repost {
        name: "advertisements between",
        language: "en",
        original: r"I bought the Halden 40 backpack for a six-week walk across the north, and I have now carried it for a little over seven hundred kilometres. It has been soaked, dragged over granite and sat on by a goat, so this is not a first impression.

The frame is the best part. Twelve kilos feel like nine, and the hip belt does not creep down when you sweat. The side pockets are angled so that you can reach a bottle without taking the pack off, which sounds trivial until the fourth hour of a climb.

Two things annoy me. The zip of the lid pocket is not waterproof, whatever the label says, and my passport got wet on the second day. The orange straps also left stains on a light shirt that no amount of washing has removed.

Would I buy it again? Yes, but in grey, and with a plastic bag for the documents. At this price nothing else I have tried comes close on a long and steep day.",
        second_original: None,
        repost: r"I bought the Halden 40 backpack for a six-week walk across the north, and I have now carried it for a little over seven hundred kilometres. It has been soaked, dragged over granite and sat on by a goat, so this is not a first impression.

LIKE this? Share it with a friend!

The frame is the best part. Twelve kilos feel like nine, and the hip belt does not creep down when you sweat. The side pockets are angled so that you can reach a bottle without taking the pack off, which sounds trivial until the fourth hour of a climb.

ADVERTISEMENT – Hiking socks, 20% off

Two things annoy me. The zip of the lid pocket is not waterproof, whatever the label says, and my passport got wet on the second day. The orange straps also left stains on a light shirt that no amount of washing has removed.

Subscribe to our newsletter.

Would I buy it again? Yes, but in grey, and with a plastic bag for the documents. At this price nothing else I have tried comes close on a long and steep day.",
        expected: Expected::Duplicate,
    },
    // A short original.
    Repost {
        name: "emoji between words",
        language: "en",
        original: r"My daughter asked why grandad talks to the tomatoes. I told her plants like company. She went out, sat down on the upturned bucket and read them her whole maths book. This morning there were eleven ripe ones. He says it was the fractions.",
        second_original: None,
        repost: r"😍 My daughter asked why grandad talks to the tomatoes 🍅🍅 . I told her plants like company 🥰 She went out, sat down on the upturned bucket 🪣 and read them her whole maths book 📚😂😂 This morning there were eleven ripe ones!! 🎉  He says it was the fractions :D 🤣",
        expected: Expected::Duplicate,
    },
    // Hyphenated line ends, split and joined compounds, double spaces.
    Repost {
        name: "spacing changes",
        language: "en",
        original: r"Anyone who restores old wooden windows knows the moment when the paint comes off and the frame turns out to be half filler. Do not lose heart. Rotten timber is usually confined to the lower rail and the bottom of the two stiles, because that is where rainwater collects.

Cut back to sound wood with a sharp chisel, well beyond the soft edge. Treat the cut surface with a preservative and let it dry overnight. Then splice in new heartwood with a waterproof glue, keeping the grain in the same direction as the original.

Never fill a gap that is wider than a fingertip. Filler does not move with the seasons, timber does, and within two winters there will be a hairline crack that lets the water straight back in.",
        second_original: None,
        repost: r"Anyone who re-
stores old wooden  windows knows the
moment when the paint comes off and the frame turns  out to be half-filler. Do not lose heart.   Rotten timber is usu-
ally confined to the lower-rail and the bottom of the two stiles, because that  is
where rain water collects.

Cut back to sound wood with a sharp  chisel, well beyond the soft edge. Treat the cut surface with a pre-
servative and let it dry over night. Then splice in new heart wood with a water-proof glue, keeping the grain in the same
direction as the original.

Never fill a gap that is wider than a finger tip. Filler does not move with  the sea-
sons, timber does, and within two winters there will be a hair-line crack that lets the water straight
back in.",
        expected: Expected::Duplicate,
    },
    // An excerpt that adds nothing of its own.
    Repost {
        name: "truncated",
        language: "en",
        original: r"The first thing you notice about the island is that nobody locks anything. Bicycles lean against the harbour wall with the shopping still in the basket. The post office is a shelf in the bakery, and people sort their own letters while they wait for the bread.

I came for three days to write about the lighthouse and stayed for five weeks. The keeper, who is not really a keeper any more because the lamp has been automatic since 1988, let me sleep in the oil store. It smells of rope and toast.

Every evening he climbs the hundred and twelve steps to wipe the glass. Nobody asks him to. When I wanted to know why, he said that a clean window is a kind of manners, and that ships are guests even if they never come in.

On my last night the fog was so thick that the beam stood in the air like a plank. We sat on the gallery with our feet over the edge and listened to engines going past, one after the other, without seeing a single hull.",
        second_original: None,
        repost: r"The first thing you notice about the island is that nobody locks anything. Bicycles lean against the harbour wall with the shopping still in the basket. The post office is a shelf in the bakery, and people sort their own letters while they wait for the bread.

I came for three days to write about the lighthouse and stayed for five weeks. The keeper, who is not really a keeper any more because the lamp has been automatic since 1988, let me sleep in the oil store. It smells of rope and toast.

[...] Read more »",
        expected: Expected::Duplicate,
    },
    Repost {
        name: "list renumbered",
        language: "en",
        original: r"Before you hand back the keys of a rented flat, go through this list once in daylight. It saved me most of my deposit.

1. Photograph every wall, even the ones that look perfect, and make sure that the date is visible.
2. Descale the kettle, the taps and the shower head; agents always look there first.
3. Fill the picture holes with white toothpaste only if the walls are really white. Cream walls need proper filler.
4. Read all the meters together with the landlord and write the numbers on one sheet that both of you sign.
5. Take the bulbs you bought with you only if you put the old ones back.
6. Ask for the deposit in writing on the day you leave, not a week later.

None of this takes more than an afternoon, and arguing about it by letter takes half a year.",
        second_original: None,
        repost: r"Before you hand back the keys of a rented flat, go through this list once in daylight. It saved me most of my deposit.

A) Photograph every wall, even the ones that look perfect, and make sure that the date is visible.
B) Descale the kettle, the taps and the shower head; agents always look there first.
C) Fill the picture holes with white toothpaste only if the walls are really white. Cream walls need proper filler.
D) Read all the meters together with the landlord and write the numbers on one sheet that both of you sign.
E) Take the bulbs you bought with you only if you put the old ones back.
F) Ask for the deposit in writing on the day you leave, not a week later.

None of this takes more than an afternoon, and arguing about it by letter takes half a year.",
        expected: Expected::Duplicate,
    },
    Repost {
        name: "lyrics with chords",
        language: "en",
        original: r"The ferry left at half past nine
With all my letters and your line
I waved until my arm was sore
Then counted gulls along the shore

Oh carry me back to Arden Bay
Where the rain comes in on market day
If you kept a lamp for the boats at sea
Then keep a little light for me

The kettle sings, the clock is slow
The radio says it is going to snow
I wrote your name on the window pane
And breathed and wrote it there again

Oh carry me back to Arden Bay
Where the rain comes in on market day
If you kept a lamp for the boats at sea
Then keep a little light for me",
        second_original: None,
        repost: r"G        D
The ferry left at half past nine
Em       C
With all my letters and your line
G     D     G
I waved until my arm was sore
C    D   ♪
Then counted gulls along the shore

G        D
Oh carry me back to Arden Bay
Em       C
Where the rain comes in on market day
G     D     G
If you kept a lamp for the boats at sea
C    D   ♪
Then keep a little light for me

G        D
The kettle sings, the clock is slow
Em       C
The radio says it is going to snow
G     D     G
I wrote your name on the window pane
C    D   ♪
And breathed and wrote it there again

G        D
Oh carry me back to Arden Bay
Em       C
Where the rain comes in on market day
G     D     G
If you kept a lamp for the boats at sea
C    D   ♪
Then keep a little light for me",
        expected: Expected::Duplicate,
    },
    Repost {
        name: "recipe with synonyms",
        language: "en",
        original: r"Hello my dears, the rain has not stopped since Monday, so today we are making my lentil soup.

Chop two onions and three carrots and fry them in olive oil until they are soft. Add two cloves of garlic, a teaspoon of cumin and half a teaspoon of smoked paprika, and stir until you can smell it in the hall. Rinse 300 grams of red lentils and tip them in with a litre and a half of stock.

Simmer everything for twenty-five minutes with the lid half open. Stir now and then, because lentils stick to the bottom the moment you turn your back. Blend one half of the soup and leave the other half as it is, so that there is still something to chew.

Squeeze a lemon over it and serve with toasted bread and plenty of butter. It tastes even better the next day.

Stay warm and see you on Sunday!",
        second_original: None,
        repost: r"Good evening everyone! Here is a quick soup that my whole family loves.

Dice two onions and three carrots and fry them in olive oil until they are tender. Add two cloves of garlic, a teaspoon of cumin and half a teaspoon of smoked paprika, and stir until you can smell it in the corridor. Rinse 300 grams of red lentils and pour them in with a litre and a half of stock.

Cook everything for twenty-five minutes with the lid half open. Stir occasionally, because lentils stick to the bottom the moment you turn your back. Purée one half of the soup and leave the other half as it is, so that there is still something to chew.

Squeeze a lemon over it and serve with toasted bread and lots of butter. It tastes even better the next day.

Enjoy your meal, and write in the comments how it went.",
        expected: Expected::Duplicate,
    },
    Repost {
        name: "notice with one date",
        language: "en",
        original: r"Dear customers of Northfield Energy,

we are writing to inform you of a change to our general terms and conditions. With effect from 1 March 2024, section 7 (payment) and section 11 (termination) will be replaced by the enclosed text. The prices agreed in your contract are not affected by this change.

You may object to the change in writing within 30 days of receiving this notice. If you do not object within this period, the new terms are deemed to be accepted. In the event of an objection, the contract continues under the existing terms, and both parties may terminate it with three months' notice to the end of a calendar month.

The complete terms are available at our offices and on our website. This notice was issued without a signature and is valid as it stands. For questions, please quote your customer number.

Northfield Energy Ltd, Customer Service",
        second_original: None,
        repost: r"Good morning, and thank you for being with Northfield Energy!

we are writing to inform you of a change to our general terms and conditions. With effect from 1 April 2024, section 7 (payment) and section 11 (termination) will be replaced by the enclosed text. The prices agreed in your contract are not affected by this change.

You may object to the change in writing within 30 days of receiving this notice. If you do not object within this period, the new terms are deemed to be accepted. In the event of an objection, the contract continues under the existing terms, and both parties may terminate it with three months' notice to the end of a calendar month.

The complete terms are available at our offices and on our website. This notice was issued without a signature and is valid as it stands. For questions, please quote your customer number.

Northfield Energy Ltd, Customer Service",
        expected: Expected::Duplicate,
    },
    // British to American, contractions.
    Repost {
        name: "spelling variants",
        language: "en",
        original: r"The theatre on Harbour Street has organised its programme around colour this season. Every play is set in a single shade, from the grey of the opening tragedy to the yellow of the Christmas pantomime, and the costumes have been dyed in the centre's own workshop.

I did not expect to enjoy it. It is easy to dismiss such an idea as a gimmick, and I have travelled to enough clever productions to be sceptical. But the catalogue explains each choice with such good humour that you cannot stay cross, and the neighbours who sat next to me were not bored for a minute.

My favourite was the blue one. The actors practise in the dark for weeks so that they can recognise each other by their breathing, and when the light finally comes it is like a jewellery box being opened. Do not miss it.",
        second_original: None,
        repost: r"The theater on Harbor Street has organized its program around color this season. Every play is set in a single shade, from the gray of the opening tragedy to the yellow of the Christmas pantomime, and the costumes have been dyed in the center's own workshop.

I didn't expect to enjoy it. It's easy to dismiss such an idea as a gimmick, and I've traveled to enough clever productions to be skeptical. But the catalog explains each choice with such good humor that you can't stay cross, and the neighbors who sat next to me weren't bored for a minute.

My favorite was the blue one. The actors practice in the dark for weeks so that they can recognize each other by their breathing, and when the light finally comes it's like a jewelry box being opened. Don't miss it.",
        expected: Expected::Duplicate,
    },
    // A short original.
    Repost {
        name: "zero-width characters",
        language: "en",
        original: r"Found on the 14 bus this morning: one grey knitted mitten, child size, with a red button for an eye. It was sitting upright on the back seat as if it had paid. The driver is keeping it in the cab until Friday.",
        second_original: None,
        repost: "Found on t\u{200b}he 14 bus th\u{200d}is morning: o\u{ad}ne grey kni\u{2060}tted mitten, ch\u{200b}ild size, wi\u{200d}th a red but\u{ad}ton for an ey\u{2060}e. It was sit\u{200b}ting upright on t\u{200d}he back se\u{ad}at as if it had pa\u{2060}id. The dri\u{200b}ver is keeping it in t\u{200d}he cab un\u{ad}til Friday.",
        expected: Expected::Duplicate,
    },
    // Cyrillic a, e, p, c and Greek omicron in every second longer word.
    Repost {
        name: "look-alike letters",
        language: "en",
        original: r"Petition to the town council: keep the swimming pool on Cooper Road open. The pool was built by volunteers in 1967 and is the only one within thirty kilometres. Four schools teach swimming there, and every year about two hundred children pass their first certificate.

The council argues that the boiler is too expensive to replace. We have obtained three offers, and the lowest is less than half of the sum that was named in the meeting. A grant for energy saving would cover another third of it, but the application must be submitted before the end of October.

We ask the council to postpone the decision by six months, to publish the full report of the engineers, and to sit down with the swimming club, the schools and the residents. A pool that is closed for one winter is rarely opened again.",
        second_original: None,
        repost: "Petition to the t\u{3bf}wn council: k\u{435}\u{435}\u{440} the swimming p\u{3bf}\u{3bf}l on Cooper R\u{3bf}\u{430}d open. The p\u{3bf}\u{3bf}l was built by v\u{3bf}lunt\u{435}\u{435}rs in 1967 and is the only one within thirty kilometres. F\u{3bf}ur schools t\u{435}\u{430}\u{441}h swimming th\u{435}r\u{435}, and every y\u{435}\u{430}r about two hundr\u{435}d children p\u{430}ss their first certificate.

The c\u{3bf}un\u{441}il argues th\u{430}t the boiler is too ex\u{440}\u{435}nsiv\u{435} to replace. We h\u{430}v\u{435} obtained thr\u{435}\u{435} offers, and the l\u{3bf}w\u{435}st is less th\u{430}n half of the sum th\u{430}t was named in the m\u{435}\u{435}ting. A grant for en\u{435}rgy saving w\u{3bf}uld cover an\u{3bf}th\u{435}r third of it, but the a\u{440}\u{440}li\u{441}\u{430}ti\u{3bf}n must be submitt\u{435}d before the end of O\u{441}t\u{3bf}b\u{435}r.

We ask the council to p\u{3bf}st\u{440}\u{3bf}n\u{435} the decision by six m\u{3bf}nths, to publish the full report of the engin\u{435}\u{435}rs, and to sit down with the swimming club, the schools and the r\u{435}sid\u{435}nts. A pool th\u{430}t is closed for one wint\u{435}r is rarely o\u{440}\u{435}n\u{435}d again.",
        expected: Expected::Duplicate,
    },
    // About 2 % of the characters misread.
    Repost {
        name: "ocr noise",
        language: "en",
        original: r"In the spring of 1911 my great-grandmother left the village with a wooden trunk, a goose-feather pillow and the address of a cousin who had already died. She did not know this until she stood in front of his house, where a stranger opened the door and offered her a chair.

The stranger was a printer. He needed somebody who could read three alphabets, and she could. For eleven years she set notices, wedding cards and the little yellow timetables of the river boats, and she never once made a mistake in a name.

The trunk is in my hall now. When you lift the lid it still smells of ink, and on the inside, in pencil, there is a list of everybody who wrote to her during the war. Some of the names have been crossed out, others have a small star.",
        second_original: None,
        repost: r"In the spring of 1911 my great-grandmother left fhe vil1age witb a wooden trunk, a g0ose-featber pil1ow and the address of a cousin who had already died. She did n0t know this until she stood in front of his house, wherc a stranger opened the door and offered her a chair.

The stranger was a printer. He needed somebody who could read three olphabets, and she could. For eleven years 5he set notices, wedding cards ond the little yellow timetables of the river boats, and she never once made a mistake in a name.

Thc trunk is in my hall now. When yov lift the lid it still smells of ink, ond on the inside, in pencil, there is a list of everybody who wrote to ber during the war. Some of the names have been crossed out, others have a small star.",
        expected: Expected::Duplicate,
    },
    Repost {
        name: "same topic, other writer",
        language: "en",
        original: r"Cycling to work changed my mornings more than any diet. I leave at ten to seven, when the canal path belongs to dog walkers and herons, and I arrive awake. It takes thirty-five minutes, which is exactly as long as the bus took when it came.

The winter was harder than I had thought. Gloves matter more than jackets, and a second rear light is worth every penny. I fell once, on wet leaves, and learned to brake before the corner instead of in it.

What I did not expect was the money. Without the season ticket I save almost ninety pounds a month, and the bike was paid off by Easter.",
        second_original: None,
        repost: r"People in our office started commuting by bicycle after the car park closed, and the results are mixed. Three of twelve have kept it up for a whole year. The others returned to the train, mostly because there is nowhere to shower and the racks in front of the building are full by eight.

Those who stayed with it live within six miles and own panniers, mudguards and decent waterproofs. They also talk about traffic constantly. The junction by the hospital is so badly designed that two of them get off and push.

If employers really want fewer cars, they should spend on changing rooms first, and on slogans last.",
        expected: Expected::Unrelated,
    },
    // Two quoted sentences in an article more than twice as long.
    Repost {
        name: "own article with quotes",
        language: "en",
        original: r#"The bees on the roof of the town hall have had their best year since the hives were installed. Volunteers harvested 212 jars last weekend. "The lime trees along the boulevard flowered for almost five weeks, and that made all the difference," says the beekeeper Ruth Amsel. City honey contains less pesticide than honey from the fields, according to the laboratory. The jars will be sold at the Christmas market for the benefit of the youth orchestra, one jar for each customer."#,
        second_original: None,
        repost: r#"Every autumn I read another cheerful story about honey from a roof, and every autumn I wonder what the wild bees would say about it. This week it was our own town hall. The report was full of good news: "The lime trees along the boulevard flowered for almost five weeks, and that made all the difference," says the beekeeper Ruth Amsel. I believe her. I stood under those trees in June, and the whole street hummed.

But a hive is livestock. Fifty thousand honeybees need a lot of flowers, and they take them from mason bees and bumblebees, which nobody counts and nobody sells. I once kept two colonies myself and gave them up when the raspberry bushes behind the shed fell silent in the mornings, all except for mine.

The article also says that city honey contains less pesticide than honey from the fields, according to the laboratory. That may be so, and it is a sad thing to be proud of. It tells us more about the fields than about the roof.

If the town wants to do something for insects, it could leave the verges unmown until July. There is no jar to sell at the end, and no orchestra would play, but it costs nothing."#,
        expected: Expected::SourceNamed,
    },
    // A match report with every name, number and date replaced.
    Repost {
        name: "same template, other facts",
        language: "en",
        original: r"Match report: Ashford Rovers beat Kingsmere Town 3-1 at Mill Lane on Saturday afternoon in front of 1,842 spectators. The home side took the lead in the 12th minute when striker Callum Reyes headed in a corner from Joe Battersby. The visitors equalised shortly before half-time through Marcus Oyelaran, who converted a penalty after a foul by defender Tim Stroud.

After the break the home side was the better team. Substitute Kieran Walsh scored in the 67th minute from twenty metres, and Reyes made sure of the win in the 88th. Manager Phil Donnelly said after the match that he was happy with the result, but not with the first half. Ashford Rovers move up to fourth place and play away at Brampton next Saturday.",
        second_original: None,
        repost: r"Match report: Lowick United beat Penhallow Athletic 2-0 at Station Park on Wednesday evening in front of 967 spectators. The home side took the lead in the 39th minute when midfielder Andre Pickles headed in a cross from Sam Okafor. The visitors wasted a chance shortly before half-time through Liam Crewe, who missed a penalty after a foul by captain Owen Tate.

After the break the home side was the better team. Substitute Dylan Marsh scored in the 74th minute from close range, and Tate made sure of the win in the 90th. Manager Erica Lindqvist said after the match that she was happy with the result, but not with the first half. Lowick United move up to ninth place and play away at Corsham next Tuesday.",
        expected: Expected::Unrelated,
    },
];
