//! British and American spellings of one word, so that a text respelled for other readers has the same words.
//!
//! A word is compared by the code of its American spelling. Only words with one meaning in both spellings are listed.

use super::words::code_of;
use std::sync::LazyLock;

/// Stems of words in -our: "colour", "favourite".
const OUR: &str = "arm behavi cand clam col demean endeav fav ferv flav harb hon hum \
    lab neighb od parl ranc rig rum savi sav splend tum val vap vig";
const OUR_ENDINGS: &str = "- s ed ing er ers ite ites able ably al ful fully less hood hoods ly y";

/// Stems of verbs in -ise.
const ISE: &str = "apolog author capital categor central character civil critic custom emphas final general global \
    harmon hospital ideal initial jeopard legal local material maxim memor minim mobil modern monopol national neutral \
    normal optim organ parallel patron penal personal plagiar popular priorit public rational real recogn revolution \
    scrutin serial social special stabil standard subsid summar symbol sympath synchron token util vandal virtual visual";
const ISE_ENDINGS: &str = "e es ed ing er ers ation ations able";

/// Verbs in -yse.
const YSE: &str = "anal catal paral";
const YSE_ENDINGS: &str = "e es ed ing er ers";

/// Words in -re.
const RE: &str = "calib centimet cent fib kilomet lit lust meag met millimet somb spect theat";

/// Words in -ogue.
const OGUE: &str = "anal catal dial epil monol prol travel";

/// Verbs whose last l is doubled in British spelling.
const DOUBLED_L: &str =
    "cancel channel counsel dial fuel label level marvel model quarrel signal total travel tunnel";
const DOUBLED_L_ENDINGS: &str = "ed ing er ers or ors ous";

/// All others: British, American.
const OTHERS: &str = "acknowledgement acknowledgment aeroplane airplane afterwards afterward ageing aging aluminium aluminum \
    amongst among anaesthetic anesthetic archaeology archeology artefact artifact artefacts artifacts burnt burned centred centered cheque \
    check cheques checks cosy cozy defence defense defences defenses doughnut donut doughnuts donuts draught draft dreamt \
    dreamed encyclopaedia encyclopedia enrol enroll enrolment enrollment foetus fetus fulfil fulfill fulfilment fulfillment \
    grey gray greyish grayish greys grays haemoglobin hemoglobin instalment installment instalments installments jewellery \
    jewelry judgement judgment judgements judgments kerb curb leapt leaped learnt learned leukaemia leukemia licence license \
    licences licenses liquorice licorice manoeuvre maneuver manoeuvres maneuvers maths math mould mold mouldy moldy moulds \
    molds moustache mustache mum mom mums moms offence offense offences offenses omelette omelet paediatric pediatric plough \
    plow ploughed plowed practise practice practised practiced practises practices practising practicing pretence pretense \
    programme program programmes programs pyjamas pajamas sceptic skeptic sceptical skeptical scepticism skepticism skilful \
    skillful skilfully skillfully speciality specialty spelt spelled spilt spilled spoilt spoiled storey story storeys \
    stories sulphur sulfur towards toward tyre tire tyres tires whilst while wilful willful woollen woolen";

/// Machine words of the filter: a power of two. Of ordinary words one in some three hundred passes.
const FILTER_WORDS: usize = 1 << 10;

/// The codes of British spellings and those of the American ones.
#[derive(Debug)]
pub(super) struct Spellings {
    /// A Bloom filter of the British codes: most words need no more than a look at it.
    filter: Box<[u64; FILTER_WORDS]>,
    /// Sorted.
    codes: Vec<(u32, u32)>,
}

/// The built-in spellings.
pub(super) fn spellings() -> &'static Spellings {
    static SPELLINGS: LazyLock<Spellings> = LazyLock::new(Spellings::build);
    &SPELLINGS
}

impl Spellings {
    /// The code of a word's American spelling; its own if it has no other spelling.
    #[inline]
    pub(super) fn american(&self, code: u32) -> u32 {
        let (word, bits) = filter_bits(code);
        if self.filter[word] & bits != bits { code } else { self.look_up(code) }
    }

    #[cold]
    fn look_up(&self, code: u32) -> u32 {
        self.codes.binary_search_by_key(&code, |pair| pair.0).map_or(code, |at| self.codes[at].1)
    }

    fn build() -> Self {
        let of = |(british, american): (String, String)| {
            (code_of(british.as_bytes()), code_of(american.as_bytes()))
        };
        let mut codes: Vec<(u32, u32)> = pairs().into_iter().map(of).collect();
        codes.sort_unstable();
        let mut filter = Box::new([0; FILTER_WORDS]);
        for &(code, _) in &codes {
            let (word, bits) = filter_bits(code);
            filter[word] |= bits;
        }
        Spellings { filter, codes }
    }
}

/// The machine word of the filter that a code has, and its two bits there.
#[inline]
fn filter_bits(code: u32) -> (usize, u64) {
    (code as usize % FILTER_WORDS, 1 << (code >> 10 & 63) | 1 << (code >> 16 & 63))
}

/// All pairs of a British and an American spelling.
fn pairs() -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let mut derive = |stems: &str, endings: &str, british: &str, american: &str| {
        for stem in stems.split_whitespace() {
            for ending in endings.split_whitespace().map(|ending| ending.trim_start_matches('-')) {
                pairs.push((format!("{stem}{british}{ending}"), format!("{stem}{american}{ending}")));
            }
        }
    };
    derive(OUR, OUR_ENDINGS, "our", "or");
    derive(ISE, ISE_ENDINGS, "is", "iz");
    derive(YSE, YSE_ENDINGS, "ys", "yz");
    derive(RE, "- s", "re", "er");
    derive(OGUE, "- s", "ogue", "og");
    derive(DOUBLED_L, DOUBLED_L_ENDINGS, "l", "");
    let others: Vec<&str> = OTHERS.split_whitespace().collect();
    pairs.extend(
        others.as_chunks().0.iter().map(|[british, american]| (british.to_string(), american.to_string())),
    );
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn british_spellings_have_the_code_of_the_american_ones() {
        let code = |word: &str| spellings().american(code_of(word.as_bytes()));
        for (british, other) in [
            ("colour", "color"),
            ("favourites", "favorites"),
            ("organisation", "organization"),
            ("analysed", "analyzed"),
            ("theatre", "theater"),
            ("catalogues", "catalogs"),
            ("travelling", "traveling"),
            ("jewellery", "jewelry"),
            ("practise", "practice"),
        ] {
            assert_eq!(code(british), code(other), "{british}");
        }
        for word in ["hour", "four", "rise", "advertise", "fire", "the"] {
            assert_eq!(code(word), code_of(word.as_bytes()), "{word}");
        }
    }

    #[test]
    fn every_spelling_is_listed_once_and_leads_to_the_end() {
        let pairs = pairs();
        let british: std::collections::HashSet<&str> =
            pairs.iter().map(|(british, _)| british.as_str()).collect();
        assert_eq!(british.len(), pairs.len());
        let again: Vec<_> =
            pairs.iter().filter(|(_, american)| british.contains(american.as_str())).collect();
        assert!(again.is_empty(), "{again:?}");
    }
}
